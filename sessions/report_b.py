"""Report b: an ASUS X510UQ of 2017."""
from session import Report

MIB = 1 << 20
report = Report("b", 2.712e9, {
    "hostname": "report b: ASUS X510UQ",
    "cpu": "Intel(R) Core(TM) i5-7200U CPU @ 2.50GHz",
    "vendor": "GenuineIntel", "architecture": "x86_64",
    "system": "Ubuntu 16.04.4 LTS", "compiler": "gcc 9.4.0", "flags": "-O0",
    "cpus": 4, "packages": 1, "memory_bytes": 8192 * MIB,
    "caches": [("L1d", 32 << 10, 0), ("L1i", 32 << 10, 0),
               ("L2", 256 << 10, 0), ("L3", 3 * MIB, 64)],
    "device": "ASUSTeK X510UQ",
    "base_hz": 2.5e9, "least_hz": 400e6, "most_hz": 3100e6,
    "memory_type": "DDR4", "memory_modules": 1, "memory_width_bits": 64,
    "memory_speed_mts": 2400, "memory_modules_bytes": 8192 * MIB,
    "disks": [{"name": "disk", "model": "TOSHIBA THNSNK128GVN8",
               "bus": "sata", "link": "6.0 Gbps", "size_bytes": 128e9,
               "rotational": False}],
    "networks": [{"name": "Ethernet", "wireless": False, "up": True,
                  "speed_bit_s": 1e9},
                 {"name": "wireless", "wireless": True, "up": True,
                  "speed_bit_s": 400e6}],
}, "2 Machine Description", [
    ("device", "ASUSTeK X510UQ machine"),
    ("cycle time", "800.000 MHz (with a maximum of 3100.0000 MHz and a minimum "
     "of 400.0000 MHz)"),
    ("memory", "HMA81GS6AFR8N-UH SK Hynix 8 GB 2400 SODIMM. The DRAM type is "
     "SODIMM (DDR4). The DRAM's clock frequency is 2400MHz"),
    ("memory, width", "The DRAM has a capacity of 8 GB (64bits)"),
    ("buses", "The I/O bus link speed is 6.0 Gbps, using SATA Controller"),
    ("disk", "The SSD model is TOSHIBA THNSNK128GVN8"),
    ("disk, capacity",
     "a capacity of 128 GB and a transfer rate of 600 MB/s"),
    ("network", "The Ethernet network bandwidth is 1000 Mb/s and the wireless "
     "network bandwidth is 400 Mb/s"),
    ("system", "Ubuntu 16.04.4 LTS"),
], [
    "Published figures of a course report of 17 March 2023, without trials: "
    "means, with std1 within a testbench and std2 across testbenches. Cycles "
    "are converted as its summary does it: 30 of them are 11.062 ns there, "
    "2.712 GHz.",
    "Its calls contain the empty pair of readings. What it shows only in its "
    "figures 2 to 10 (latency, the memory mountain, the file cache, reading "
    "by size, contention) is not here.",
    "Its summary gives 9.610 us for a page fault; the 29062.11 cycles of its "
    "section 4.3 would be 10.716 us.",
])

run = report.run("cpu.clock", "clock reads")
run.overhead = 21.92
run.add("clock=cpuid reads=2", "cost", "21.92", "cycles",
        "3.2.2 Measurement Result", within="2.62", between="0.5",
        deviation="7629")

run = report.run("cpu.frequency", "window count")
run.add("window=1s count=100", "tick-rate", "2.7", "GHz",
        "3.1.2 Measurement Result: average cycles in 1 second")

run = report.run("cpu.call", "args through counter")
TABLE = """0 32.89 5.74 1.63 22125
1 33.14 2.14 0.91 1662
2 33.37 2.29 0.58 6761
3 33.85 3.36 0.98 17926
4 33.85 3.56 1.31 31225
5 34.37 2.10 0.63 1210
6 34.67 3.67 1.65 11545
7 36.02 4.34 2.03 27811"""
for row in TABLE.splitlines():
    args, mean, within, between, deviation = row.split()
    run.add("args=%s through=direct" % args, "pass", mean, "cycles",
            "Table 1: Procedure Call Overhead", within=within,
            between=between, deviation=deviation)

run = report.run("cpu.syscall", "call via")
run.add("call=times", "time", "739.59", "cycles", "3.4.2 Measurement Result",
        within="61.25", between="22.88", deviation="5012")

run = report.run("cpu.process", "how until resident")
run.add("how=fork until=returned", "time", "329672.25", "cycles",
        "Table 2: Task Creation Overhead", within="2233449.63",
        between="152089.56", deviation="66203661")

run = report.run("cpu.thread", "until stack")
run.add("until=returned", "time", "54394.91", "cycles",
        "Table 2: Task Creation Overhead", within="278872.91",
        between="63085.16", deviation="27198348")

run = report.run("cpu.switch", "between through parties footprint placement")
run.add("between=processes through=pipe parties=2 placement=same-cpu",
        "gross", "3100.88", "cycles", "Table 3: Context switch Overhead",
        within="168.47", between="180.63", deviation="19068")
run.add("between=threads through=pipe parties=2 placement=same-cpu", "gross",
        "2950.13", "cycles", "Table 3: Context switch Overhead",
        within="116.63", between="32.10", deviation="11648")
run.add("between=processes through=pipe parties=2 placement=same-cpu", "own",
        "2353.10", "cycles", "Table 3: Context switch Overhead, R/W pipe",
        within="2624.32", between="2370.52", deviation="2362404")

run = report.run("mem.bandwidth", "op kernel threads size pages")
run.add("op=read kernel=unrolled threads=1 size=4M", "bandwidth", "4757.95",
        "MB/s", "4.2.2 Measurement Result, Read Memory", within="56.21",
        between="40.78", deviation="1438")
run.add("op=write kernel=unrolled threads=1 size=4M", "bandwidth", "1300.60",
        "MB/s", "4.2.2 Measurement Result, Write Memory", within="140.67",
        between="77.98", deviation="1101")

run = report.run("mem.fault", "kind size stride order advice touch pages")
run.add("kind=major-file stride=4K touch=read", "fault", "29062.11", "cycles",
        "4.3.2 Measurement Result", within="73.41", between="14.85",
        deviation="8972")

run = report.run("net.rtt", "host proto payload reply")
run.add("host=loopback proto=tcp payload=56 reply=64", "rtt", "0.1967",
        "ms", "5.1.2 Measurement Result, Local Loopback", within="0.03028",
        between="0.04016", deviation="13.4674")
run.add("host=remote proto=tcp payload=56 reply=64", "rtt", "7.06945",
        "ms", "5.1.2 Measurement Result, Remote Loopback", within="3.20329",
        between="2.13026", deviation="194.01796")
run.add("host=loopback proto=icmp payload=56", "rtt", "0.037", "ms",
        "5.1.3 Interpreting Measurement, ping")
run.add("host=remote proto=icmp payload=56", "rtt", "7.66", "ms",
        "5.1.3 Interpreting Measurement, ping")

run = report.run("net.bandwidth", "host mode size direction")
run.add("host=loopback mode=stream size=2K direction=up", "sender", "3628.48",
        "Mbps", "5.2.2 Measurement Result, Local: until send() returns")
run.add("host=remote mode=stream size=2K direction=up", "sender", "100.8",
        "Mbps", "5.2.2 Measurement Result, Remote: until send() returns")

run = report.run("net.connect", "host close")
run.add("host=loopback close=fin-client", "connect", "7.1487", "ms",
        "5.3.2 Local Connection Setup Time", within="5.6230",
        between="1.0750", deviation="10.37564")
run.add("host=remote close=fin-client", "connect", "8.6419", "ms",
        "5.3.2 Remote Connection Setup Time", within="9.5510",
        between="3.19002", deviation="126.0689")
run.add("host=loopback close=fin-client", "close", "0.0443", "ms",
        "5.3.2 Local Connection Close Time", within="0.0070",
        between="0.0017", deviation="0.0413")
run.add("host=remote close=fin-client", "close", "0.0539", "ms",
        "5.3.2 Remote Connection Close Time", within="0.0074",
        between="0.0023", deviation="0.0875")

run = report.run("fs.read", "size order cache block")
run.add("order=sequential cache=cold block=4K", "time", "34307.71", "cycles",
        "6.2.2 Measurement Result, Sequential Read; files of 40K to 1.6M")
run.add("order=random cache=cold block=4K", "time", "155392", "cycles",
        "6.2.2 Measurement Result, Random Read; files of 40K to 1.6M")

run = report.run("fs.remote", "size order cache block")
run.add("order=sequential cache=cold block=4K", "time", "1476495", "cycles",
        "6.3.2 Measurement Result, Sequential Read")
run.add("order=random cache=cold block=4K", "time", "1845940", "cycles",
        "6.3.2 Measurement Result, Random Read")
