"""Report a: a MacBook Pro of early 2015."""
from session import Report

MIB = 1 << 20
report = Report("a", 2.7e9, {
    "hostname": "report a: MacBook Pro, early 2015",
    "cpu": "Intel Core i5-5257U, 2.7GHz", "vendor": "GenuineIntel",
    "architecture": "x86_64", "system": "OS X El Capitan 10.11",
    "compiler": "Apple LLVM 7.0.2 (clang-700.1.81)",
    "cpus": 1, "allowed": 1, "cores": 1, "packages": 1,
    "threads_per_core": 1, "memory_bytes": 8192 * MIB,
    "caches": [("L1d", 32 << 10, 64), ("L1i", 32 << 10, 64),
               ("L2", 256 << 10, 64), ("L3", 3 * MIB, 64)],
    "base_hz": 2.7e9, "memory_type": "DDR3", "memory_modules": 2,
    "memory_speed_mts": 1867, "memory_modules_bytes": 8192 * MIB,
    "disks": [{"name": "disk", "model": "APPLE SSD SM0256G",
               "link": "5.0 GT/s", "size_bytes": 251e9,
               "rotational": False}],
    "networks": [{"name": "AirPort Extreme", "device": "14e4:0133",
                  "wireless": True, "up": True, "speed_bit_s": 144e6}],
}, "2. Machine Description", [
    ("cycle time", "1/2.7 GHz = 0.37 ns"),
    ("memory", "2 * 4GB DDR3 (1867 MHz)"),
    ("disk", "APPLE SSD SM0256G"),
    ("disk, capacity", "251 GB"),
    ("disk, controller", "5.0 GT/s"),
    ("disk, its vendor's figures",
     "Sequential Uncached Read 84.19 MB/sec [4K blocks] Uncached Read 753.56 "
     "MB/sec [256K blocks] Random Uncached Read 33.61 MB/sec [4K blocks] "
     "Uncached Read 420.80 MB/sec [256K blocks]"),
    ("network", "AirPort Extreme (0x14E4, 0x133)"),
    ("network, speed", "144 Mbit/s"),
    ("system", "OS X El Capitan version 10.11"),
], [
    "Published figures of a course report, without trials: means of 10 tests "
    "of 100000 where nothing else is said. Cycles are of its counter, at the "
    "2.7 GHz of its section 2.",
    "Its figures of reading the clock, of calls and of system calls contain "
    "the empty pair of readings. MB and GB are taken as 10^6 and 10^9.",
    "The bandwidths it quotes from a project's page are not here: they are of "
    "another machine.",
])

# ---- 3. CPU ---------------------------------------------------------------

run = report.run("cpu.clock", "clock reads")
run.overhead = 33.74809
run.add("clock=cpuid reads=2", "cost", "33.74809", "cycles",
        "3.2.1 Reading Time Overhead, Result", between="2.59588695")

run = report.run("cpu.loop", "count counter")
LOOP = """0 36.5884 36.5884
1 39.0297 39.0297
2 43.1936 21.5968
4 56.3275 14.0819
8 85.537 10.6921
16 163.622 10.2264
32 451.603 14.1126
64 2423.41 37.8658
128 963.913 7.53057
256 1861.28 7.27063
512 3664.31 7.15685
1024 7252.25 7.08227
2048 14446 7.05371
4096 28741.7 7.01701
8192 57752 7.0498"""
for row in LOOP.splitlines():
    count, overall, each = row.split()
    where = "count=%s counter=memory" % count
    run.add(where, "pass", overall, "cycles",
            "3.2.2 Loop Overhead, Overall time")
    if count != "0":
        run.add(where, "iteration", each, "cycles",
                "3.2.2 Loop Overhead, Average time")

run = report.run("cpu.call", "args through counter")
MEAN = "33.9697 34.98854 37.55406 36.0044 36.92629 39.22043 38.65379 38.96293"
SD = "0.96141 1.674832 2.465581 0.453931 2.226701 4.527658 2.457296 3.993110"
for args, (mean, sd) in enumerate(zip(MEAN.split(), SD.split())):
    run.add("args=%d through=direct" % args, "pass", mean, "cycles",
            "3.3 Procedure Call Overhead, Result", between=sd)

run = report.run("cpu.syscall", "call via")
run.add("call=getppid", "time", "395.8123333", "cycles",
        "3.4 System Call Overhead, Result", between="18.16879783")
run.add("call=getpid via=libc", "time", "38.2", "cycles",
        "3.4 System Call Overhead, Result; libc keeps the answer",
        between="5.443525476")

run = report.run("cpu.process", "how until resident")
run.add("how=fork until=reaped", "time", "832389.2222", "cycles",
        "3.5.1 Process Creation Overhead, Result; without the first of 10",
        between="28510.33302")

run = report.run("cpu.thread", "until stack")
run.add("until=joined", "time", "54,524.97", "cycles",
        "3.5.2 Kernel Thread Creation Overhead, Result; without the ninth "
        "of 10", between="1837.672284")

run = report.run("cpu.switch", "between through parties footprint placement")
run.add("between=processes through=wait parties=2 placement=same-cpu",
        "gross", "387233", "cycles",
        "3.6.1 Process Context Switch Overhead, Result",
        between="11062.41772")
run.add("between=threads through=wait parties=2 placement=same-cpu", "gross",
        "6196.806", "cycles",
        "3.6.2 Kernel Thread Context Switch Overhead, Result")

# ---- 4. memory ------------------------------------------------------------

run = report.run("mem.latency", "size stride order pages unroll")
for level, ns in (("L1d", "1.3"), ("L2", "3"), ("L3", "10.8"),
                  ("memory", "48.5")):
    run.add("order=jitter pages=4K unroll=10", "load", ns, "ns",
            "4.1 RAM Access Time, Final result", figure="value", level=level)

run = report.run("mem.bandwidth", "op kernel threads size pages")
for op, kernel, rate in (
        ("read", "loop", "9.18614"), ("read", "unrolled", "9.15199"),
        ("read", "avx", "13.3005"), ("write", "loop", "7.66534"),
        ("write", "avx", "8.01202"), ("write", "memset", "13.5799")):
    run.add("op=%s kernel=%s threads=1" % (op, kernel), "bandwidth", rate,
            "GB/s", "4.2 (printed 3.2) RAM Bandwidth, Result", figure="value")

run = report.run("mem.fault", "kind size stride order advice touch pages")
STRIDES = "4K 16K 64K 256K 1M 4M 16M 64M"
FIXED = """55,764.79 12,407.12
233,542.69 94,273.82
896,885.61 139,855.13
1,331,130.99 215,194.73
1,072,101.30 165,960.45
1,156,814.73 175,199.80
1,194,058.34 208,782.40
1,326,308.71 216,196.46"""
RANDOM = """50,441.41 4,410.62
245,744.98 40,813.51
820,011.25 116,046.82
1,210,494.85 259,970.02
1,156,227.01 96,883.65
1,265,451.41 137,015.09
1,167,855.14 164,836.66
1,188,855.69 216,966.60"""
for order, table in (("fixed", FIXED), ("random", RANDOM)):
    for stride, row in zip(STRIDES.split(), table.splitlines()):
        mean, sd = row.split()
        run.add("kind=major-file size=3G stride=%s order=%s touch=read"
                % (stride, order), "touch", mean, "cycles",
                "4.3 (printed 3.3) Page Fault Service Time, Result, %s "
                "access; a touch every stride, not all of them fault" % order,
                between=sd)
run.add("kind=major-file size=3G touch=read", "fault", "1,216,082.81",
        "cycles", "4.3 (printed 3.3) Page Fault Service Time, Analysis")

# ---- 5. network -----------------------------------------------------------

run = report.run("net.rtt", "host proto payload")
for host, proto, least, mean, most, sd in (
        ("loopback", "icmp", "0.061", "0.080", "0.122", "0.009"),
        ("loopback", "tcp", "0.049641", "0.089661", "1.354182", "0.130014"),
        ("remote", "icmp", "1.420", "8.098", "136.922", "16.996"),
        ("remote", "tcp", "1.144046", "1.996801", "10.659761", "1.378705")):
    run.add("host=%s proto=%s payload=56" % (host, proto), "rtt", mean,
            "ms", "5.1 (printed 4.1) Round Trip Time, Result", least=least,
            most=most, within=sd)

run = report.run("net.bandwidth", "host mode size direction")
SIZES = "512 2K 8K 32K 128K 512K 2M 8M 16M"
LOCAL = ("0.17136 3.868149 15.060821 59.239908 207.241512 445.847374 "
         "5.145305 3.080629 2.749426")
REMOTE = ("0.122587 1.281212 2.153319 4.414671 3.152048 8.100716 3.637927 "
          "2.818187 2.670831")
for host, rates in (("loopback", LOCAL), ("remote", REMOTE)):
    for size, rate in zip(SIZES.split(), rates.split()):
        run.add("host=%s mode=message size=%s direction=up" % (host, size),
                "goodput", rate, "MB/s",
                "5.2 (printed 4.2) Peak Bandwidth, Local bandwidth: the "
                "largest of 100", figure="max")

run = report.run("net.connect", "host close")
for host, metric, least, mean, most, sd in (
        ("loopback", "connect", "0.085778", "0.108107", "0.151910",
         "0.020768"),
        ("remote", "connect", "1.351129", "2.614392", "5.914362", "1.347776"),
        ("loopback", "close", "0.010013", "0.012127", "0.018655", "0.002326"),
        ("remote", "close", "0.013924", "0.022124", "0.039323", "0.008834")):
    run.add("host=%s close=fin-client" % host, metric, mean, "ms",
            "5.3 (printed 4.3) Connection overhead, Result", least=least,
            most=most, within=sd)

# ---- 6. files -------------------------------------------------------------

run = report.run("fs.cache", "limit size order block")
COARSE = """32M 3787.905405
64M 3373.281081
128M 2982.459459
256M 2904.924324
512M 3418.848649
1G 3260.772973
2G 3697.491892
4G 952.4378378
8G 749.8027027
16G 782.8243243"""
FINE = """3072M 0.813587
3572M 0.517686
4072M 0.358726
4572M 0.366098
5072M 0.357054
5572M 0.356015
6072M 0.352255"""
for row in COARSE.splitlines():
    size, rate = row.split()
    run.add("limit=none size=%s order=forward" % size, "rate", rate,
            "MB/s", "6.1 (printed 5.1) Size of File Cache, Result, first "
            "table")
for row in FINE.splitlines():
    size, rate = row.split()
    size = "3G" if size == "3072M" else size
    run.add("limit=none size=%s order=forward" % size, "rate", rate,
            "bytes/cycle", "6.1 (printed 5.1) Size of File Cache, Result, "
            "second table")

SIZES = "4K 16K 64K 256K 1M 4M 16M 64M"
LOCAL = {"sequential": """
0.10798 0.10277 0.07442 0.05449 0.04572 0.0477 0.04361 0.04385
0.01278 0.00517 0.01295 0.00041 0.00034 0.00476 0.00035 0.00038
0.09895 0.09912 0.06527 0.0542 0.04548 0.04433 0.04336 0.04359
0.11702 0.10642 0.08358 0.05478 0.04597 0.05106 0.04386 0.04412""",
         "random": """
0.11262 0.10761 0.11757 0.1343 0.12091 0.11976 0.13452 0.12634
0.01214 0.00591 0.00066 0.00187 0.00644 0.00236 0.00081 0.0077
0.10404 0.10343 0.1171 0.13298 0.11635 0.11809 0.13394 0.12089
0.12121 0.11179 0.11803 0.13562 0.12546 0.12143 0.13509 0.13178"""}
REMOTE = {"sequential": """
3.06 3.06 3.22 2.77 2.82 2.81 2.84 2.85
0.81 1.31 0.96 0.31 0.40 0.25 0.22 0.18
2.07 2.01 2.33 2.39 2.42 2.52 2.54 2.60
4.86 6.65 5.40 3.52 3.71 3.26 3.31 3.15""",
          "random": """
3.02 3.00 3.10 2.91 3.17 3.38 3.53 3.43
0.83 0.85 0.56 0.55 0.76 0.79 0.92 0.63
2.04 2.11 2.28 2.34 2.47 2.70 2.75 2.93
4.97 4.64 3.91 3.90 4.45 5.43 5.58 4.61"""}
for name, tables, cache, section in (
        ("fs.read", LOCAL, "direct", "6.2 (printed 5.2) File Read Time"),
        ("fs.remote", REMOTE, "direct",
         "6.3 (printed 5.3) Remote File Read")):
    run = report.run(name, "size order cache block")
    for order, table in tables.items():
        rows = [row.split() for row in table.strip().splitlines()]
        for size, mean, sd, least, most in zip(SIZES.split(), *rows):
            run.add("size=%s order=%s cache=%s block=4K"
                    % (size, order, cache), "time", mean, "ms",
                    "%s, Results, %s" % (section, order), between=sd,
                    least=least, most=most)

run = report.run("fs.contention", "readers pattern size files cache block")
PATTERNS = "sequential random sequential-mixed random-mixed"
TABLE = """
1 0.09443 0.03153 0.1266 0.01905 0.08301 0.02997 0.13148 0.0129
2 0.11512 0.03685 0.11464 0.00516 0.0919 0.02221 0.13055 0.00936
3 0.12556 0.01356 0.11873 0.00449 0.12316 0.04769 0.13475 0.0045
4 0.15618 0.01178 0.13806 0.00976 0.13294 0.01135 0.14437 0.00768
5 0.17264 0.01478 0.14563 0.00779 0.16003 0.00929 0.16779 0.01777
6 0.2002 0.01751 0.1628 0.01656 0.18876 0.05185 0.20024 0.06036
7 0.22059 0.02279 0.17096 0.01455 0.20128 0.0238 0.21224 0.03733
8 0.24195 0.04088 0.20646 0.02839 0.23109 0.02713 0.23871 0.03481
9 0.25441 0.03502 0.257 0.06721 0.24545 0.03971 0.2591 0.03808
10 0.2752 0.04521 0.3226 0.10353 0.28167 0.07699 0.29944 0.06401
11 0.28575 0.04965 0.42092 0.18394 0.30915 0.07481 0.30739 0.07287
12 0.3146 0.08226 0.45316 0.18918 0.36763 0.13895 0.35903 0.12389
13 0.3317 0.07835 0.45448 0.18718 0.3988 0.16441 0.39235 0.13517
14 0.35229 0.1012 0.44873 0.14784 0.41778 0.16295 0.42852 0.1616
15 0.37244 0.09651 0.47392 0.15027 0.45221 0.19481 0.46682 0.1991"""
for row in TABLE.strip().splitlines():
    competing, *cells = row.split()
    for i, pattern in enumerate(PATTERNS.split()):
        run.add("readers=%d pattern=%s size=1M files=own cache=direct "
                "block=4K" % (int(competing) + 1, pattern), "time",
                cells[2 * i], "ms",
                "6.4 (printed 5.4) Contention, Results, %s competing "
                "processes" % competing, between=cells[2 * i + 1])
