#!/usr/bin/env python3
"""Makes seeds for the fuzzer from pcap and pcapng files: the records of
annotate_input.h, in pieces small enough for mutations to have an effect.

    seeds.py FOLDER-OF-CAPTURES FOLDER-OF-SEEDS
"""
import os
import struct
import sys

# input_links[] of annotate_input.c.
LINKS = [0, 1, 9, 10, 12, 14, 50, 51, 100, 101, 104, 105, 107, 108, 109, 113,
         117, 119, 122, 123, 127, 138, 163, 166, 192, 204, 219, 226, 228, 229,
         239, 240, 241, 242, 258, 274, 276, 281, 282, 284, 285, 6, 7, 8, 99,
         106, 129, 143, 167, 178, 179, 180, 181, 259]
PIECE = 60  # packets


def pcap_packets(data):
    magic = data[:4]
    order = "<" if magic in (b"\xd4\xc3\xb2\xa1", b"\x4d\x3c\xb2\xa1") else ">"
    nano = magic in (b"\x4d\x3c\xb2\xa1", b"\xa1\xb2\x3c\x4d")
    link = struct.unpack(order + "I", data[20:24])[0] & 0xFFFF
    at = 24
    while at + 16 <= len(data):
        second, part, kept, wire = struct.unpack(order + "4I",
                                                 data[at:at + 16])
        yield (link, second * 1000000 + (part // 1000 if nano else part),
               data[at + 16:at + 16 + kept], wire)
        at += 16 + kept


def pcapng_packets(data):
    order = "<" if data[8:12] == b"\x4d\x3c\x2b\x1a" else ">"
    links = []
    at = 0
    while at + 12 <= len(data):
        kind, length = struct.unpack(order + "II", data[at:at + 8])
        body = data[at + 8:at + length - 4]
        if kind == 1:
            links.append(struct.unpack(order + "H", body[:2])[0])
        elif kind == 6:
            which, high, low, kept, wire = struct.unpack(order + "5I",
                                                         body[:20])
            yield (links[which], (high << 32) + low, body[20:20 + kept], wire)
        at += max(length, 12)


def packets_of(data):
    if data[:4] == b"\x0a\x0d\x0d\x0a":
        return pcapng_packets(data)
    return pcap_packets(data)


def record(packet, before_us):
    link, at_us, kept, wire = packet
    kept = kept[:512]
    more = min(max(wire - len(kept), 0), 65535)
    delta = min(max(at_us - before_us, 0), 65535)
    return struct.pack("<BBHHH", LINKS.index(link), 0, len(kept), more,
                       delta) + kept


def main():
    captures, seeds = sys.argv[1:3]
    os.makedirs(seeds, exist_ok=True)
    for name in sorted(os.listdir(captures)):
        if not name.endswith((".pcap", ".pcapng")):
            continue
        with open(os.path.join(captures, name), "rb") as file:
            packets = [packet for packet in packets_of(file.read())
                       if packet[0] in LINKS]
        for first in range(0, len(packets), PIECE):
            piece = packets[first:first + PIECE]
            before_us = piece[0][1]
            out = b""
            for packet in piece:
                out += record(packet, before_us)
                before_us = packet[1]
            path = os.path.join(seeds, "%s.%d" % (name, first))
            with open(path, "wb") as file:
                file.write(out)


main()
