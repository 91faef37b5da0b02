"""Report d: an HP Pavilion Elite with an i7 860."""
from session import Report

MIB = 1 << 20
report = Report("d", 2.793291e9, {
    "hostname": "report d: HP Pavilion Elite HPE",
    "cpu": "Intel(R) Core(TM) i7 CPU 860 @ 2.80GHz", "vendor": "GenuineIntel",
    "architecture": "x86_64", "kernel": "4.4.0-57-generic",
    "system": "Ubuntu 16.04.1", "compiler": "gcc 5.4.0",
    "flags": "-O0", "cpus": 1, "cores": 1, "packages": 1,
    "threads_per_core": 1, "memory_bytes": 8192 * MIB,
    "caches": [("L1d", 32 << 10, 0), ("L1i", 32 << 10, 0),
               ("L2", 256 << 10, 0), ("L3", 8 * MIB, 0)],
    "device": "HP Pavilion Elite HPE", "base_hz": 2.8e9,
    "memory_type": "DDR3", "memory_modules": 4, "memory_width_bits": 64,
    "memory_speed_mts": 1333, "memory_modules_bytes": 8192 * MIB,
    "buses": "PCI of 32 bits at 33 MHz",
    "disks": [{"name": "disk", "model": "HDS721075CLA332", "bus": "sata",
               "link": "300 Mbps", "size_bytes": 750e9,
               "rotational": True}],
    "networks": [{"name": "Ethernet", "driver": "RTL8111/8168/8411",
                  "wireless": False, "up": True, "speed_bit_s": 1e9}],
}, "2 Machine Description", [
    ("device", "HP Pavilion Elite HPE workstation"),
    ("cycle time", "The frequency of this CPU should be 2.80GHz"),
    ("memory", "totally 8G main memory, with 4 bank of 1333 MHz DDR3"),
    ("buses", "The memory bus is with 64 bits width and 1333 MHz clock. The "
     "IO bus is PCI bus with 32 bits width and 33MHz clock"),
    ("disk", "The disk model is HDS721075CLA332 with 32MB cache and 7200RPM "
     "spindle speed. The external data transfer rate is 300Mbps"),
    ("disk, capacity", "a 750GB SATA hard drive disk"),
    ("network", "RTL8111/8168/8411 PCI Express Gigabit Ethernet Controller "
     "with 1Gbit/s capacity"),
    ("system", "normal Ubuntu 16.04.1. The kernel is Linux 4.4.0-57-generic"),
], [
    "Published figures of a course report of 19 March 2017, without trials: "
    "means with the deviation of the samples. Cycles are of its counter, at "
    "the 2.793291 GHz it measured.",
    "Its loop and its procedure calls by arguments are in graphs; what its "
    "text reads off them is here. It has no network and no files. It prints "
    "25k for its L2 cache; 256 KiB is meant.",
])

run = report.run("cpu.clock", "clock reads")
run.overhead = 102
run.add("clock=cpuid reads=2", "cost", "102", "cycles",
        "Table 1: Measurement Overhead", within="3.8")

run = report.run("cpu.frequency", "window count")
run.add("", "tick-rate", "2.793291", "GHz", "2.1 CPU", figure="value")

run = report.run("cpu.loop", "count counter")
run.add("counter=memory", "iteration", "18", "cycles",
        "3.2.2 Estimation and results, text on Figure 1", figure="value")

run = report.run("cpu.call", "args through counter")
run.add("args=7 through=direct", "call", "11", "cycles",
        "3.4.2 Estimation and results, text on procedure calls",
        figure="value")

run = report.run("cpu.syscall", "call via")
run.add("call=getcwd", "time", "1250", "cycles", "Table 2", within="31")

run = report.run("cpu.process", "how until resident")
run.add("how=fork until=first", "time", "134507", "cycles",
        "Table 3: Process/Thread Creation Time", within="3062")

run = report.run("cpu.thread", "until stack")
run.add("until=first", "time", "20635", "cycles",
        "Table 3: Process/Thread Creation Time", within="1546")

run = report.run("cpu.switch", "between through parties footprint placement")
run.add("between=processes through=wait parties=2 placement=same-cpu",
        "gross", "79097", "cycles",
        "Table 4: Process/Thread Context Switch Time", within="650")
run.add("between=threads through=wait parties=2 placement=same-cpu", "gross",
        "2562", "cycles", "Table 4: Process/Thread Context Switch Time",
        within="538")

run = report.run("mem.latency", "size stride order pages unroll")
for level, cycles in (("L1d", "9"), ("L2", "20"), ("L3", "70"),
                      ("memory", "190")):
    run.add("order=jitter pages=4K unroll=100", "load", cycles, "cycles",
            "Table 5: Memory hierarchy Latency", level=level)

run = report.run("mem.bandwidth", "op kernel threads size pages")
run.add("op=read kernel=memcpy threads=1", "bandwidth", "9356.70657557",
        "MB/s", "Table 6: Memory Bandwidth", within="336.209601362")
run.add("op=write kernel=memcpy threads=1", "bandwidth", "8364.93322737",
        "MB/s", "Table 6: Memory Bandwidth", within="500.236423781")

run = report.run("mem.fault", "kind size stride order advice touch pages")
run.add("kind=major-file size=16G order=random touch=read", "fault",
        "22672005.8858", "cycles", "Table 7: Pagefault Handling Overhead",
        within="7299383.2799")
