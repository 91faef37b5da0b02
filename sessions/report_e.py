"""Report e: a Lenovo ThinkPad Yoga 14."""
from session import Report

MIB = 1 << 20
report = Report("e", 2.3e9, {
    "hostname": "report e: Lenovo ThinkPad Yoga 14",
    "cpu": "Intel(R) Core(TM) i5-6200U CPU @ 2.30GHz",
    "vendor": "GenuineIntel", "family": 6, "model": 78, "stepping": 3,
    "microcode": "0x82", "architecture": "x86_64", "system": "Ubuntu 16.04",
    "compiler": "gcc 5.4.0", "command_line": "quiet splash maxcpus=1",
    "cpus": 1, "allowed": 1, "cores": 1, "packages": 1, "nodes": 1,
    "threads_per_core": 1, "memory_bytes": 8192 * MIB,
    "caches": [("L1d", 32 << 10, 64), ("L1i", 32 << 10, 64),
               ("L2", 256 << 10, 64), ("L3", 3072 << 10, 64)],
    "device": "Lenovo ThinkPad Yoga 14", "base_hz": 2.3e9,
    "memory_type": "DDR3", "memory_width_bits": 64,
    "memory_speed_mts": 1600,
    "disks": [{"name": "sda", "model": "SSD", "bus": "sata",
               "size_bytes": 256e9, "rotational": False}],
    "networks": [{"name": "wlan0", "wireless": True, "up": True},
                 {"name": "eth0", "wireless": False, "up": True}],
}, "1.1. MACHINE DESCRIPTION", [
    ("device", "Device: Lenovo ThinkPad Yoga 14"),
    ("cycle time", "Intel(R) Core(TM) i5-6200U CPU @ 2.30GHz, 4 cores"),
    ("memory", "Memory bus: 1600 MHz (speed), 64 bit(width), DDR3."),
    ("memory, size", "RAM size: 8GB"),
    ("buses", "I/O bus: SATA (AHCI Version 1.30 Supported)"),
    ("disk", "Disk: SSD (Type), 256 GB (Size)"),
    ("network", 'PCI 03:00.0 (Network) Net "wlan0"'),
    ("network, by wire", 'PCI 00:1f.6 (Ethernet) Net "eth0"'),
    ("system", "OS: Ubuntu 16.04"),
], [
    "Published figures of a course report, without trials. It prints the "
    "results of several tests: the figure here is their mean, and the "
    "deviation is between them. Cycles are converted at the 2.30 GHz it "
    "prints for its processor; the bogomips it prints beside that, 4799.96, "
    "speak for a counter of 2.4 GHz, which would make every time 4 % less.",
    "Its calls contain the pair of readings. The table of memory access times "
    "names no unit: they are taken as ns, like its predictions.",
])

run = report.run("cpu.clock", "clock reads")
run.overhead = 123
run.add("clock=cpuid reads=2", "cost", "123", "cycles",
        "3.1.1.1 Read Overhead, Actual Results and Analysis: 134 127 123 124 "
        "123 123 123 124 123, the first before its data were in the cache",
        figure="value")

run = report.run("cpu.loop", "count counter")
run.mean_of("counter=memory", "iteration", "5 6 5 5 5 5 5 7 5", "cycles",
            "3.1.1.2 Loop Overhead, Actual Results")

run = report.run("cpu.call", "args through counter")
TABLE = """1 127 125 127 126 125 125
2 128 127 128 128 127 127
3 128 129 129 128 128 128
4 130 130 129 129 129 129
5 131 131 131 130 130 131
6 131 132 132 131 131 131
7 132 132 132 131 131 132"""
for row in TABLE.splitlines():
    args, cells = row.split(" ", 1)
    run.mean_of("args=%s through=direct" % args, "pass", cells, "cycles",
                "3.1.2 Procedure Call Overhead, Actual Results")

run = report.run("cpu.syscall", "call via")
run.mean_of("call=getpid", "time",
            "263 264 261 261 265 264 261 264 263 261", "cycles",
            "3.1.3 System Call Overhead, Actual Results")
run.mean_of("call=time", "time",
            "389 390 386 387 391 390 387 387 387 387", "cycles",
            "3.1.3 System Call Overhead, Actual Results")

run = report.run("cpu.process", "how until resident")
run.mean_of("how=fork until=returned", "time",
            "44447 46719 46894 46102 46441 46674 45900 46622 46572", "cycles",
            "3.1.4.1 Process Creation Time, Actual Results")

run = report.run("cpu.thread", "until stack")
run.mean_of("until=joined", "time",
            "19367 17805 19201 19103 18605 17711 18715 18798 18346", "cycles",
            "3.1.4.2 Thread Creation Time, Actual Results")

run = report.run("cpu.switch", "between through parties footprint placement")
run.mean_of("between=processes through=wait parties=2 placement=same-cpu",
            "gross", "37986 37550 37695 36753 37090 36792 37338 37031 36893",
            "cycles", "3.1.5.1 Process Context Switch, Actual Results")
run.mean_of("between=threads through=wait parties=2 placement=same-cpu",
            "gross", "2082 2139 2134 2143 2113 2191 2142 2205 2095", "cycles",
            "3.1.5.2 Thread Context Switch, Actual Results")

# ---- memory ---------------------------------------------------------------

run = report.run("mem.latency", "size stride order pages unroll")
STRIDES = "4 64 128 1M 4M 16M"
TABLE = """4 0.5 0.3 0.3 0.3 0.3 0.3
8 0.6 0.4 0.4 0.4 0.4 0.4
16 0.7 1 0.5 0.5 0.5 0.5
32 0.4 2 0.6 0.6 0.6 0.6
64 0.5 2 0.5 0.5 0.5 0.5
128 2 2.5 6.5 4 0.5 0.5
256 1 2 7 4 0.4 0.4
512 2 3 14 7 14 10
1024 2 3 5 8 18 12
2048 3 2 6 9 28 16
4096 4 2.5 7 56 60 34
8192 1 3 8 220 71 65
16384 1 4 7 221 76 76
32768 2 4 7.5 222 87 87
65536 2 5 8 230 91 85
131072 1 4 7 222 97 90
262144 2 5 6 212 99 92
524288 1 6 7 212 105 105"""
for row in TABLE.splitlines():
    kib, *cells = row.split()
    kib = int(kib)
    size = "%dM" % (kib >> 10) if kib >= 1024 else "%dK" % kib
    for stride, ns in zip(STRIDES.split(), cells):
        run.add("size=%s stride=%s order=forward pages=4K" % (size, stride),
                "load", ns, "ns", "3.2.1 Memory Access Time, Actual Results, "
                "region of %d KiB" % kib)

run = report.run("mem.fault", "kind size stride order advice touch pages")
run.add("kind=major-file stride=16M order=random touch=read", "fault", "0.23",
        "ms", "3.2.2 Page Fault Service Time, Actual Results")

run = report.run("mem.bandwidth", "op kernel threads size pages")
run.mean_of("op=read kernel=loop threads=1", "bandwidth",
            "27.6 25.2 24.8 30.1 28.3 25.4 26.4", "GB/s",
            "3.2.3 RAM Bandwidth, Actual Results")
run.mean_of("op=write kernel=loop threads=1", "bandwidth",
            "18.6 16.0 21.2 18.8 20.5 19.2 18.9", "GB/s",
            "3.2.3 RAM Bandwidth, Actual Results")
