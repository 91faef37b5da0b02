#!/bin/sh
# assets.sh TOP: the files for Kubernetes are YAML of the schema
# kubernetes.schema.json, whose names refer to each other.
set -eu
cd "$1"
python3 -c 'import yaml' 2>/dev/null || {
	echo "SKIP: no python3 with yaml here"
	exit 77
}
python3 -c 'import jsonschema' 2>/dev/null || {
	echo "SKIP: no python3 with jsonschema here"
	exit 77
}
python3 - assets/kubernetes/*.yaml <<'END'
import json
import sys
import jsonschema
import yaml

schema = json.load(open("tests/code/kubernetes.schema.json", encoding="utf-8"))
jsonschema.Draft202012Validator.check_schema(schema)
kinds = {}
for name in sys.argv[1:]:
    for document in yaml.safe_load_all(open(name, encoding="utf-8")):
        errors = list(jsonschema.Draft202012Validator(schema)
                      .iter_errors(document))
        for error in errors:
            best = jsonschema.exceptions.best_match(error.context) or error
            print(name, "/".join(map(str, best.absolute_path)), best.message)
        assert not errors, name
        kinds[document["kind"]] = document
claim = kinds["PersistentVolumeClaim"]["metadata"]["name"]
for kind in "DaemonSet", "Job":
    template = kinds[kind]["spec"]["template"]
    pod = template["spec"]
    volumes = {volume["name"]: volume for volume in pod["volumes"]}
    for volume in volumes.values():
        used = volume.get("persistentVolumeClaim", {"claimName": claim})
        assert used["claimName"] == claim, kind
    for container in pod.get("initContainers", []) + pod["containers"]:
        for mount in container.get("volumeMounts", []):
            assert mount["name"] in volumes, (kind, mount)
        resources = container.get("resources", {"requests": 0, "limits": 0})
        assert resources["requests"] == resources["limits"], kind
    # Each node may need a restart, and the limit itself ends the Job.
    if kind == "Job":
        job = kinds[kind]["spec"]
        assert job["backoffLimit"] >= 2 * job["completions"], job
        assert pod["restartPolicy"] == "OnFailure", pod
    selector = kinds[kind]["spec"].get("selector", {})
    for label, value in selector.get("matchLabels", {}).items():
        assert template["metadata"]["labels"][label] == value, kind
END
echo "assets are well-formed"
