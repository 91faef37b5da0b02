"""Report c: a MacBook Pro of 2018."""
from session import Report

MIB = 1 << 20
report = Report("c", 3.1e9, {
    "hostname": "report c: MacBook Pro, 2018",
    "cpu": "Dual-Core Intel Core i5, 3.1 GHz", "vendor": "GenuineIntel",
    "architecture": "x86_64", "system": "macOS Catalina 10.15",
    "cpus": 1, "packages": 1, "threads_per_core": 1,
    "memory_bytes": 8192 * MIB,
    "caches": [("L1d", 32 << 10, 0), ("L1i", 32 << 10, 0),
               ("L2", 256 << 10, 0), ("L3", 4 * MIB, 64)],
    "base_hz": 3.1e9, "memory_type": "LPDDR3", "memory_speed_mts": 2133,
    "disks": [{"name": "disk", "model": "APPLE SSD AP0256J", "bus": "sata",
               "size_bytes": 251e9, "rotational": False}],
    "networks": [{"name": "AirPort Extreme", "device": "14e4:0171",
                  "wireless": True, "up": True}],
}, "2.Machine Description", [
    ("cycle time", "0.32 ns"),
    ("memory", "Size: 4 GB Type: LPDDR3 Speed: 2133 MHz"),
    ("memory, size", "RAM size 8 GB"),
    ("buses", "I/O Bus SATA"),
    ("disk", "Capacity: 251 GB TRIM Support: Yes Model: APPLE SSD AP0256J"),
    ("network", "Wifi Interface: AirPort Extreme (0x14E4, 0x171)"),
    ("system", "macOS Catalina 10.15 (Oct 7, 2019)"),
], [
    "Published figures of a course report, without trials: means where "
    "nothing else is said. Cycles are of its counter, at the 3.1 GHz of its "
    "table 1; it prints them without a unit.",
    "Memory latency it shows only in its figure 1. Its table 10 prints no "
    "unit; its figures are taken as ms.",
])

run = report.run("cpu.clock", "clock reads")
run.overhead = 109.06
run.add("clock=rdtsc reads=2", "cost", "109.06", "cycles",
        "3.1 Measurement Overhead; which instructions it does not say")

run = report.run("cpu.loop", "count counter")
run.add("count=1000000 counter=memory", "pass", "5666217", "cycles",
        "3.1 Measurement Overhead, loop")

run = report.run("cpu.call", "args through counter")
MEAN = "25.82 25.32 25.49 27.02 27.95 26.57 30.26 26.75"
SD = "2.34 1.75 2.24 3.39 4.08 3.53 9.69 3.49"
for args, (mean, sd) in enumerate(zip(MEAN.split(), SD.split())):
    run.add("args=%d through=direct" % args, "pass", mean, "cycles",
            "Table 2. Procedure Call Overhead", between=sd)

run = report.run("cpu.syscall", "call via")
run.add("call=getppid", "time", "1696.34", "cycles",
        "3.3 System call Overhead")

run = report.run("cpu.process", "how until resident")
run.add("how=fork until=reaped", "time", "1231790", "cycles",
        "3.4 Task creation time")

run = report.run("cpu.thread", "until stack")
run.add("until=joined", "time", "63538.2", "cycles",
        "3.4 Task creation time")

run = report.run("cpu.switch", "between through parties footprint placement")
run.add("between=processes through=wait parties=2 placement=same-cpu",
        "gross", "566710", "cycles", "3.5 Context switch time",
        between="9719.17")
run.add("between=threads through=wait parties=2 placement=same-cpu", "gross",
        "7335.83", "cycles", "3.5 Context switch time", between="934.72")

run = report.run("mem.bandwidth", "op kernel threads size pages")
run.add("op=read kernel=unrolled threads=1", "bandwidth", "14.75", "GB/s",
        "4.2.3 Results and Analysis", figure="value")
run.add("op=write kernel=unrolled threads=1", "bandwidth", "18.31", "GB/s",
        "4.2.3 Results and Analysis", figure="value")

run = report.run("mem.fault", "kind size stride order advice touch pages")
run.add("kind=major-file touch=read", "fault", "753513.67", "cycles",
        "4.3.3 Results and Analysis")

run = report.run("net.rtt", "host proto payload")
for host, proto, value, unit in (
        ("loopback", "icmp", "0.110", "ms"), ("loopback", "tcp", "79", "us"),
        ("remote", "icmp", "4.273", "ms"), ("remote", "tcp", "4.792", "ms")):
    run.add("host=%s proto=%s payload=32" % (host, proto), "rtt",
            value, unit, "Table 4. Results")

run = report.run("net.bandwidth", "host mode size direction")
run.add("host=loopback mode=stream direction=up", "goodput", "1429.55",
        "MB/s", "Table 5. Results: peak", figure="max")
run.add("host=remote mode=stream direction=up", "goodput", "9.53", "MB/s",
        "Table 5. Results: peak", figure="max")

run = report.run("net.connect", "host close")
for host, metric, value, unit in (
        ("remote", "connect", "7.206", "ms"),
        ("remote", "close", "78.2", "us"),
        ("loopback", "connect", "61.38", "us"),
        ("loopback", "close", "11.46", "us")):
    run.add("host=%s close=fin-client" % host, metric, value, unit,
            "Table 6. Results")

run = report.run("fs.cache", "limit size order block")
TABLE = """100M 0.070002
200M 0.04568
500M 0.014158
1G 0.006914
2G 0.003439
4G 0.001716
5G 0.00138
6G 0.001311
6656M 0.001276"""
for row in TABLE.splitlines():
    size, us = row.split()
    run.add("limit=none size=%s order=backward" % size, "time", us, "us",
            "Table 7. File Cache Size Results")

run = report.run("fs.read", "size order cache block")
TABLE = """1 62.7714 196.067
2 89.4813 232.958
4 71.0596 187.159
8 63.6504 189.515
16 66.7379 180.034
32 64.2089 188.656
64 63.4921 181.201
128 63.4974 178.233"""
for row in TABLE.splitlines():
    size, sequential, random = row.split()
    where = "size=%sM order=%s cache=direct block=4K"
    run.add(where % (size, "sequential"), "time", sequential, "us",
            "Table 8. File read time Results")
    run.add(where % (size, "random"), "time", random, "us",
            "Table 8. File read time Results")

run = report.run("fs.remote", "size order cache block")
TABLE = """1 6.2142 7.2310
2 6.3548 7.7261
4 6.5149 7.2092
8 6.3321 7.7351
16 6.5169 7.6827
32 6.9271 7.5839
64 5.8273 7.2480
128 6.4239 7.4973"""
for row in TABLE.splitlines():
    size, sequential, random = row.split()
    where = "size=%sM order=%s cache=direct block=4K"
    run.add(where % (size, "sequential"), "time", sequential, "ms",
            "Table 9. Remote File read time Results")
    run.add(where % (size, "random"), "time", random, "ms",
            "Table 9. Remote File read time Results")

run = report.run("fs.contention", "readers pattern size files cache block")
TABLE = """10 1.297031333
9 0.986540133
8 0.87765576
7 0.864444652
6 0.937640646
5 0.989618625
4 1.153134355
3 0.912170121
2 0.615996607"""
for row in reversed(TABLE.splitlines()):
    readers, ms = row.split()
    run.add("readers=%s files=own cache=direct block=4K" % readers, "time",
            ms, "ms", "Table 10. Contention Results; all readers' mean, the "
            "table prints no unit")
