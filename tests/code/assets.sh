#!/bin/sh
# assets.sh TOP: the scripts for Slurm and ssh pass shellcheck, and the files for
# Kubernetes are YAML with pods that have no rights.
set -eu
cd "$1"
command -v shellcheck >/dev/null || {
	echo "SKIP: no shellcheck here"
	exit 77
}
python3 -c 'import yaml' 2>/dev/null || {
	echo "SKIP: no python3 with yaml here"
	exit 77
}
shellcheck -s sh assets/*/*.sh tests/slurm/*.sh tests/code/*.sh
python3 - assets/kubernetes/*.yaml <<'END'
import sys
import yaml

pods = 0
for name in sys.argv[1:]:
    for document in yaml.safe_load_all(open(name, encoding="utf-8")):
        pod = document["spec"].get("template", {}).get("spec", {})
        volumes = {volume["name"] for volume in pod.get("volumes", [])}
        for container in (pod.get("initContainers", []) +
                          pod.get("containers", [])):
            rights = container["securityContext"]
            assert rights["runAsNonRoot"], name
            assert rights["capabilities"] == {"drop": ["ALL"]}, name
            for mount in container.get("volumeMounts", []):
                assert mount["name"] in volumes, (name, mount)
            pods += 1
assert pods == 3, pods
END
echo "assets are well-formed"
