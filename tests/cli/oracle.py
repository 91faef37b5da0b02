#!/usr/bin/env python3
"""Recounts what `benchtop annotate --json` says of capture files.

    oracle.py PROGRAM FILE..
    oracle.py --keep PROGRAM FILE..     and writes what it says to FILE.json

Written from the RFCs (791, 8200, 9293, 7323, 2018) and the formats of libpcap,
independently of benchtop's code. What came before is what has an earlier time, or
precedes in the file. Bytes acknowledged at most 1 ms
before their first copy were recorded late; 200 ms before, sent again. Times
only decide whether a packet behind later data was sent again or recorded late.
For each connection it counts packets, payload, the length of the stream,
retransmissions, late segments, the legs of the handshake, and round trips
(Karn's rule). A count that no capture can determine is a range: of a late
segment without timestamps, or of one that agrees with another of the last
second also in its identification, which the network may have copied. Prints
each difference, and exits with 1 if there is one.
"""
import copy
import gzip
import ipaddress
import json
import os
import struct
import subprocess
import sys

from oracle_links import strip_link, strip_tunnel, vlans

FIN, SYN, RST, PSH, ACK = 1, 2, 4, 8, 16
COPY_NS = 5000000
COPY_FAR_NS = 1000000000
COPY_TICK_NS = 50000
COPY_KNOWN = 32
FRAGMENTS_NS = 30 * 10**9
IDLE_NEW_NS = 120 * 10**9
LATE_NS = 1000000
STEP_NS = 2000000
TIMER_NS = 200000000


class Packet:
    pass


# ---- files ---------------------------------------------------------------

def read_pcap(data, order, unit_ns):
    link = struct.unpack_from(order + "I", data, 20)[0] & 0x0fffffff
    at = 24
    while at + 16 <= len(data):
        sec, part, caught, wire = struct.unpack_from(order + "4I", data, at)
        if at + 16 + caught > len(data):
            return
        part_ns = min(part * unit_ns, 10**9 - 1)
        yield (sec * 10**9 + part_ns, link,
               data[at + 16:at + 16 + caught], wire, part_ns < part * unit_ns)
        at += 16 + caught


def read_interface(order, body):
    link, snap = struct.unpack_from(order + "H2xI", body, 0)
    units, offset_s = 10**6, 0
    at = 8
    while at + 4 <= len(body):
        code, length = struct.unpack_from(order + "2H", body, at)
        if code == 0:
            break
        if code == 9:
            exponent = body[at + 4]
            units = (2 ** (exponent & 127) if exponent & 128
                     else 10 ** exponent)
        if code == 14:
            offset_s = struct.unpack_from(order + "q", body, at + 4)[0]
        at += 4 + (length + 3) // 4 * 4
    return link, snap, units, offset_s


def read_block(order, kind, body, interfaces):
    if kind == 6:
        index, high, low, caught, wire = struct.unpack_from(
            order + "5I", body, 0)
        start = 20
    elif kind == 2:
        index, _, high, low, caught, wire = struct.unpack_from(
            order + "2H4I", body, 0)
        start = 20
    else:
        index, high, low, start = 0, 0, 0, 4
        wire = struct.unpack_from(order + "I", body, 0)[0]
        caught = min(wire, interfaces[0][1] or wire, len(body) - 4)
    link, _, units, offset_s = interfaces[index]
    stamp = high << 32 | low
    return (stamp * 10**9 // units + offset_s * 10**9, link,
            body[start:start + caught], wire, kind == 3)


def read_pcapng(data):
    at, order, interfaces = 0, "<", []
    while at + 12 <= len(data):
        kind = struct.unpack_from(order + "I", data, at)[0]
        if kind == 0x0a0d0d0a:
            magic = data[at + 8:at + 12]
            order = "<" if magic == b"\x4d\x3c\x2b\x1a" else ">"
            interfaces = []
        length = struct.unpack_from(order + "I", data, at + 4)[0]
        if length < 12 or at + length > len(data):
            return
        body = data[at + 8:at + length - 4]
        if kind == 1:
            interfaces.append(read_interface(order, body))
        elif kind in (2, 3, 6):
            yield read_block(order, kind, body, interfaces)
        at += length


def read_file(path):
    with open(path, "rb") as file:
        data = file.read()
    if data[:2] == b"\x1f\x8b":
        data = gzip.decompress(data)
    magic = data[:4]
    if magic == b"\x0a\x0d\x0d\x0a":
        return read_pcapng(data)
    kinds = {b"\xd4\xc3\xb2\xa1": ("<", 1000), b"\xa1\xb2\xc3\xd4": (">", 1000),
             b"\x4d\x3c\xb2\xa1": ("<", 1), b"\xa1\xb2\x3c\x4d": (">", 1)}
    return read_pcap(data, *kinds[magic])


def by_time(records):
    """Sorted, but a time earlier by more than STEP_NS is of another clock, or of
    one that was set back. A record without a time follows its predecessor."""
    run, key_ns, newest_ns = [], 0, 0
    for record in records:
        key_ns = key_ns if record[4] else record[0]
        if newest_ns - key_ns > STEP_NS:
            yield from (one for _, one in sorted(run, key=lambda one: one[0]))
            run, newest_ns = [], key_ns
        newest_ns = max(newest_ns, key_ns)
        run.append((key_ns, record))
    yield from (one for _, one in sorted(run, key=lambda one: one[0]))


# ---- headers ---------------------------------------------------------------

def strip_ip4(packet, data, wire):
    if len(data) < 20:
        return None
    head, length = (data[0] & 15) * 4, struct.unpack_from(">H", data, 2)[0]
    fragment = struct.unpack_from(">H", data, 6)[0]
    if head < 20:
        return None
    packet.protocol = data[9]
    packet.id = struct.unpack_from(">H", data, 4)[0]
    packet.source, packet.target = data[12:16], data[16:20]
    length = min(length, wire) if length else wire
    packet.same = data[:8] + data[9:10] + data[12:]
    packet.more, packet.offset = fragment & 0x2000, (fragment & 0x1fff) * 8
    packet.piece = packet.id
    return head, length - head


def strip_ip6(packet, data, wire):
    if len(data) < 40:
        return None
    length, following = struct.unpack_from(">HB", data, 4)
    length = 40 + length if length else wire
    packet.id = packet.more = packet.offset = 0
    packet.source, packet.target = data[8:24], data[24:40]
    at = 40
    while following in (0, 43, 44, 51, 60) and at + 8 <= len(data):
        if following == 44:
            packet.offset = data[at + 2] << 8 | data[at + 3] & 0xf8
            packet.more = data[at + 3] & 1
            packet.piece = data[at + 4:at + 8]
            if packet.offset:
                following, at = data[at], at + 8
                break
        size = (8 if following == 44 else (data[at + 1] + 2) * 4
                if following == 51 else (data[at + 1] + 1) * 8)
        following = data[at]
        at += size
    packet.same = data[:7] + data[8:]
    packet.protocol = following
    return at, min(length, wire) - at


def strip_ip(packet, data, wire):
    if data[0] >> 4 == 4:
        return strip_ip4(packet, data, wire)
    return strip_ip6(packet, data, wire) if data[0] >> 4 == 6 else None


def read_options(packet, options):
    packet.stamp = packet.echo = None
    at = 0
    while at < len(options) and options[at]:
        if options[at] == 1:
            at += 1
            continue
        if at + 1 >= len(options) or options[at + 1] < 2:
            break
        if options[at] == 8 and at + 10 <= len(options):
            packet.stamp, packet.echo = struct.unpack_from(
                ">2I", options, at + 2)
        at += options[at + 1]


def read_tcp(t_ns, link, data, wire, untimed=False):
    packet = Packet()
    packet.t_ns, packet.untimed = t_ns, untimed
    place = strip_link(link, data, wire)
    if not place or place[0] >= len(data):
        return None
    ip, wire = data[place[0]:], place[1] - place[0]
    place = strip_ip(packet, ip, wire)
    while place and packet.protocol != 6:
        inner = None if packet.more or packet.offset else strip_tunnel(
            packet.protocol, ip, place[0], place[0] + place[1])
        if not inner or inner[0] >= len(ip):
            return None
        ip, wire = ip[inner[0]:], inner[1] - inner[0]
        place = strip_ip(packet, ip, wire)
    if not place:
        return None
    packet.marked = data[:2] if link in (113, 276) else b""
    packet.vlan = vlans(data) if link == 1 else ()
    if packet.offset:
        packet.length = place[1]
        return packet
    if len(ip) < place[0] + 14:
        return None
    tcp = ip[place[0]:]
    ports = struct.unpack_from(">2H", tcp, 0)
    packet.seq, packet.ack = struct.unpack_from(">2I", tcp, 4)
    head, packet.flags = tcp[12] >> 4 << 2, tcp[13]
    if head < 20 or place[1] < (14 if packet.more else head):
        return None
    packet.head = head
    packet.length = max(place[1] - head, 0)
    packet.zero = tcp[14:16] == b"\0\0"
    packet.ends = ((packet.source, ports[0]), (packet.target, ports[1]))
    read_options(packet, tcp[20:head])
    return packet


def part_of(first, later):
    """The data of a later fragment as a segment; None: it has none."""
    skip = max(first.head - later.offset, 0)
    if later.length <= skip:
        return None
    later.length -= skip
    later.seq = (first.seq + bool(first.flags & SYN) + later.offset + skip -
                 first.head) % 2**32
    later.flags = first.flags & ~(SYN | RST | (FIN if later.more else 0))
    for name in ("ack", "zero", "ends", "stamp", "echo"):
        setattr(later, name, getattr(first, name))
    return later


def joined(packets):
    """A FIN belongs to the last fragment. What came before its first fragment
    follows it."""
    firsts, waiting = {}, {}
    for packet in packets:
        if not packet.more and not packet.offset:
            yield packet
            continue
        key = packet.source, packet.target, packet.piece
        if not packet.offset:
            whole = firsts[key] = copy.copy(packet)
            packet.flags &= ~FIN
            yield packet
            for later in waiting.pop(key, [])[::-1]:
                if packet.t_ns - later.t_ns <= FRAGMENTS_NS:
                    later.t_ns, later.number = packet.t_ns, packet.number
                    yield part_of(whole, later)
        elif key in firsts and \
                packet.t_ns - firsts[key].t_ns <= FRAGMENTS_NS:
            yield part_of(firsts[key], packet)
        else:
            waiting.setdefault(key, []).append(packet)


class Record:
    """A record of a packet, with its rank among the packets of its direction
    and of the file that did not come before."""
    def __init__(self, number, packet, ranks, first):
        self.number, self.t_ns = number, packet.t_ns
        self.ranks, self.first = ranks, first
        self.repeated = self.copy = False


class Tally:
    """How many packets of a direction, or of a file, came again at once."""
    def __init__(self):
        self.packets = self.again = self.assumed = 0

    def known(self, rank):
        """The number of packets of lower rank."""
        return rank + self.assumed

    def told(self, rank):
        """Whether the packets of lower rank came twice; None: too few."""
        twice = 8 * (self.again + self.assumed) >= 7 * self.known(rank)
        return None if twice and self.known(rank) < COPY_KNOWN else twice

    def assume(self, rank):
        """A certain copy counts as many until others contradict."""
        if self.known(rank) < COPY_KNOWN:
            self.assumed += COPY_KNOWN


def is_bare(packet):
    return not packet.length and not packet.flags & (SYN | FIN)


def came_twice(packet, record, tallies, spoke):
    """A sender without identifications may repeat data, or an acknowledgement,
    within microseconds of a reply. So records are of one packet only where
    nearly all packets have two. The first data has none to compare with: it
    was not sent again before there was a reply."""
    way, whole = tallies
    told = way.told(record.ranks[0])
    if told is None and whole.known(record.ranks[1]) >= COPY_KNOWN:
        told = whole.told(record.ranks[1])
    if told is not None:
        return told
    replied = spoke.get(packet.ends[::-1], -1) > record.number
    return not (way.known(record.ranks[0]) or is_bare(packet) or replied)


def is_copy_unnamed(packet, alike, number, tallies, spoke):
    """Whether it is a copy, and whether it came before within its time."""
    came = False
    for record in alike[-64:]:
        if number - record.number > 64 or \
                abs(packet.t_ns - record.t_ns) > COPY_TICK_NS:
            continue
        came = True
        if is_bare(packet) and (record.repeated or record.copy):
            continue  # the next acknowledgement, equal to a pair
        copy = came_twice(packet, record, tallies, spoke)
        if record.first and not record.repeated:
            for tally in tallies:
                tally.again += 1
        record.repeated = True
        if copy:
            if not record.ranks[0] or packet.flags & SYN:
                for tally, rank in zip(tallies, record.ranks):
                    tally.assume(rank)
            return True, True
    return False, came


def without_copies(packets):
    """A mirror port records identical copies of a packet; so do merged
    captures of two points."""
    recent = {}  # by fields: records of packets
    times = {}
    ways, whole = {}, Tally()
    spoke = {}  # by ends: the number of the last packet
    for number, packet in enumerate(packets):
        fields = packet.same, packet.marked, packet.vlan
        alike = recent.setdefault(fields, [])
        way = ways.setdefault((packet.ends, packet.vlan), Tally())
        tallies = way, whole
        if packet.id:
            near = [record for record in alike[-64:]
                    if number - record.number <= 64 and
                    abs(packet.t_ns - record.t_ns) <= COPY_NS]
            packet.copy = came = bool(near)
            if near and not near[0].repeated:
                near[0].repeated = True
                for tally, rank in zip(tallies, near[0].ranks):
                    tally.again += near[0].first
                    if not near[0].ranks[0] or packet.flags & SYN:
                        tally.assume(rank)
        else:
            packet.copy, came = is_copy_unnamed(packet, alike, number, tallies,
                                                spoke)
        record = Record(number, packet, (way.packets, whole.packets), not came)
        record.copy = packet.copy
        alike.append(record)
        spoke[packet.ends] = number
        if not came:
            for tally in tallies:
                tally.packets += 1
        if packet.id and packet.stamp is not None:
            first_ns = times.get(fields, packet.t_ns - COPY_FAR_NS - 1)
            if abs(packet.t_ns - first_ns) <= COPY_FAR_NS:
                packet.copy = True
            else:
                times[fields] = packet.t_ns
        packet.unclear = packet.id and packet.stamp is None and \
            packet.t_ns - times.get(fields, -COPY_FAR_NS) <= COPY_FAR_NS
        if packet.id and packet.stamp is None:
            times[fields] = packet.t_ns
        yield packet


# ---- connections -----------------------------------------------------------

class Connection:
    def __init__(self, packet):
        self.ends = packet.ends
        self.packets = []
        self.begins = {}
        self.closed = self.answered = False

    def is_new(self, packet):
        if not packet.flags & SYN or packet.flags & RST:
            return False
        begin = self.begins.get(packet.ends[0])
        if begin is None:
            sent = [p.seq for p in self.packets
                    if p.ends[0] == packet.ends[0]]
            acked = [p.ack for p in self.packets
                     if p.ends[0] != packet.ends[0] and p.flags & ACK]
            if not sent and not acked:
                return False
            near = (sent or acked)[0]
            # Data may be recorded before its SYN, in any order.
            begin = min(unwrapped(near, seq) for seq in sent or acked[:1]) - 1
            # The connection's own SYN, or a SYN/ACK for it, recorded late.
            asked = self.begins.get(packet.ends[1])
            late = ((packet.ack - 1) % 2**32 == asked
                    if packet.flags & ACK and asked is not None else
                    packet.t_ns - min(p.t_ns for p in self.packets) <= LATE_NS)
            if late and (begin - packet.seq) % 2**32 < 2**16:
                return False
        if (packet.seq - begin) % 2**32 == 0:
            return False
        return (self.closed or not self.answered or
                packet.t_ns - self.packets[-1].t_ns > IDLE_NEW_NS)

    def add(self, packet):
        self.packets.append(packet)
        if packet.flags & SYN and not packet.flags & RST:
            self.begins.setdefault(packet.ends[0], packet.seq)
            self.answered |= bool(packet.flags & ACK)
        self.closed |= bool(packet.flags & (FIN | RST))


def connection_of(known, packet):
    """The latest one whose sender uses the packet's VLAN; if there is none, one
    whose sender was silent, at best with that VLAN in the other direction."""
    sender = packet.ends[0]
    same = [c for c in known if c.vlans.get(sender) == packet.vlan]
    silent = [c for c in known if sender not in c.vlans]
    silent.sort(key=lambda c: packet.vlan in c.vlans.values())
    return (same or silent or [None])[-1]


def connections(packets):
    found, by_ends = [], {}
    for packet in packets:
        known = by_ends.setdefault(frozenset(packet.ends), [])
        connection = connection_of(known, packet)
        if connection is None or (not packet.copy and
                                  connection.is_new(packet)):
            vlans_before = connection.vlans if connection else {}
            connection = Connection(packet)
            connection.vlans = dict(vlans_before)
            known.append(connection)
            found.append(connection)
        connection.vlans[packet.ends[0]] = packet.vlan
        if not packet.copy:
            connection.add(packet)
    return found


# ---- a side's stream -------------------------------------------------------

class Spans:
    """Byte ranges, each with the packet that recorded it first."""
    def __init__(self):
        self.spans = []

    def missing(self, low, high):
        """The parts of [low, high) that were not recorded."""
        parts = []
        for start, end in self.spans:
            if end <= low:
                continue
            if start >= high:
                break
            if start > low:
                parts.append((low, start))
            low = max(low, end)
        if low < high:
            parts.append((low, high))
        return parts

    def add(self, low, high):
        keep = [s for s in self.spans if s[1] < low or s[0] > high]
        touch = [s for s in self.spans if not (s[1] < low or s[0] > high)]
        low = min([low] + [s[0] for s in touch])
        high = max([high] + [s[1] for s in touch])
        self.spans = sorted(keep + [(low, high)])

    def bytes(self, begin):
        return sum(max(end - max(start, begin), 0)
                   for start, end in self.spans)


def unwrapped(near, number):
    off = (number - near) % 2**32
    return near + (off if off < 2**31 else off - 2**32)


class Stream:
    """What one side sent."""
    def __init__(self):
        self.begin = self.next = self.acked = None
        self.known = self.fin = self.placed = False
        self.have = Spans()
        self.holes = []  # (low, high, packet behind it)
        self.packets = self.frames = 0
        self.again = [0, 0]  # packets: certain, and with the uncertain ones
        self.again_bytes = [0, 0]
        self.late = [0, 0]  # .. not seen before, sent once
        self.again_end = -1  # .. up to this position
        self.samples, self.rtts = 0, []
        self.sent, self.acks = [], []
        self.reports = []  # (position, packet) of acknowledgements without data
        self.window_zero, self.probed = False, None
        self.sent_from = None  # where the last new data began

    def near(self):
        return self.next if self.next is not None else self.acked


def is_probe(stream, position, packet):
    """A keep-alive: no data, or one byte that was sent before, behind which all
    data is acknowledged, perhaps unseen. A new byte before a closed window is
    data once it is acknowledged."""
    if packet.flags & (SYN | FIN | RST) or packet.length > 1:
        return False
    if stream.acked is None:
        return False
    if position == stream.acked - 1 and stream.next == stream.acked:
        return True
    # A segment that is sent again has its first byte, too.
    if stream.next is not None and not stream.window_zero and \
            position == stream.next - 1 and not packet.flags & PSH and \
            position > max(stream.acked, stream.sent_from or position):
        return True
    if not stream.window_zero or packet.length != 1:
        return False
    if position == stream.acked == stream.next:
        stream.probed = position
        return True
    return stream.acked - 1 <= position < stream.next


def is_new_copy(packet, openers, echoes, waited_ns):
    """Data recorded long after its acknowledgement: recorded late if its
    timestamp is not newer than those sent before, sent again after a timer."""
    older = [packet.stamp is not None and echo is not None and
             (echo - packet.stamp) % 2**32 < 2**31 for echo in echoes]
    if openers and packet.stamp is not None and openers[0].stamp is not None:
        return None
    if older[0] and not openers:
        return False
    return None if any(older) or waited_ns < TIMER_NS else True


def is_reported(stream, position, opener):
    """The receiver reported the hole: its sender may have filled it."""
    return any(number > opener.number and ack <= position
               for ack, number in stream.reports)


def is_sent_again(stream, position, high, packet):
    """Bytes below the highest that were not recorded before: lost and sent
    again (True), overtaken or recorded late (False) or unknown (None)."""
    openers = [p for low, end, p in stream.holes if low <= position < end]
    acks = [(t, echo) for ack, t, echo in stream.acks if ack >= high]
    if openers:
        opener = openers[0]
        if packet.t_ns < opener.t_ns:
            return False  # it passed before
        if packet.stamp is not None and opener.stamp is not None and \
                packet.stamp != opener.stamp:
            return (packet.stamp - opener.stamp) % 2**32 < 2**31
    if acks and packet.t_ns - acks[0][0] > LATE_NS:
        return is_new_copy(packet, openers, [echo for _, echo in acks],
                           packet.t_ns - acks[0][0])
    begun = [opener.t_ns] if openers else [t for t, _ in acks]
    if begun and packet.t_ns - begun[0] <= LATE_NS:
        return None if openers and is_reported(stream, position, openers[0]) \
            else False
    return None


def count_old(stream, low, high, packet):
    """The bytes below the highest that are not a first copy."""
    fresh = sum(b - a for a, b in stream.have.missing(low, high))
    seen = high - low - fresh
    sure = [0, 0]
    if fresh:
        lost = is_sent_again(stream, low, high, packet)
        sure = [fresh if lost else 0, fresh if lost in (True, None) else 0]
    surely, perhaps = seen + sure[0], seen + sure[1]
    if packet.unclear:
        surely = sure[0]
    if seen + sure[0]:
        stream.again_end = max(stream.again_end, high)
    stream.again[0] += surely > 0
    stream.again[1] += perhaps > 0
    stream.again_bytes[0] += surely
    stream.again_bytes[1] += perhaps
    stream.late[0] += fresh > 0 and not perhaps
    stream.late[1] += fresh > 0 and not surely


def add_data(stream, packet):
    position = unwrapped(stream.near() if stream.near() is not None else
                         packet.seq, packet.seq)
    fin = bool(packet.flags & FIN)
    if packet.flags & SYN:
        position += 1
        if stream.known and position != stream.begin:
            return
        stream.known, stream.begin = True, position
        stream.next = max(stream.next or position, position)
    elif not stream.placed and stream.begin is not None:
        # What was acknowledged before was sent before, or before the capture.
        stream.begin = position
        if packet.length <= 1 and position + 1 == stream.acked:
            stream.begin = stream.acked  # a keep-alive
        stream.next = max(stream.next, stream.begin)
    stream.placed = True
    if stream.next is None:
        stream.next = position
    if stream.begin is None:
        stream.begin = position
    end = position + packet.length
    if packet.flags & RST or is_probe(stream, position, packet) or \
            not packet.length + fin:
        return
    if not stream.known:
        stream.begin = min(stream.begin, position)
    if fin and stream.fin and stream.fin_at == end and not packet.length:
        stream.again = [n + 1 for n in stream.again]
        stream.again_bytes = [n + 1 for n in stream.again_bytes]
        return
    if fin:
        stream.fin, stream.fin_at = True, end
    whole = end + fin
    highest = max(stream.next, stream.acked or stream.next)
    if position < highest:
        count_old(stream, position, min(whole, highest), packet)
    elif position > highest:
        stream.holes.append((highest, position, packet))
    if whole > stream.next:
        stream.sent_from = position
    stream.frames += packet.length > 0
    stream.have.add(position, whole)
    stream.next = max(stream.next, whole)
    stream.sent.append((whole, packet.t_ns))


def add_ack(stream, packet):
    """An acknowledgement of the other side's stream. It times data if nothing
    that it acknowledges was sent again."""
    if not packet.flags & ACK or packet.flags & RST:
        return
    near = stream.near()
    ack = unwrapped(near if near is not None else packet.ack, packet.ack)
    if stream.begin is None:
        stream.begin = stream.next = ack
        stream.placed = bool(packet.flags & SYN)
    if not packet.length:
        stream.reports.append((ack, packet.number))
    if stream.acked is None or ack > stream.acked:
        if stream.probed == stream.next == ack - 1:
            stream.have.add(stream.next, ack)
            stream.next = ack
            stream.frames += 1
        rtts = [packet.t_ns - t for end, t in stream.sent if end <= ack]
        if stream.again_end <= (stream.acked or 0):
            stream.rtts += rtts
            stream.samples += bool(rtts)
        stream.acked = ack
        stream.acks.append((ack, packet.t_ns, packet.echo))
        stream.sent = [(e, t) for e, t in stream.sent if e > ack]


# ---- handshake -------------------------------------------------------------

def leg(questions, answer):
    """(state, nanoseconds) of the answer to one of several packets."""
    before = [q for q in questions if q.number < answer.number]
    if not before:
        return ("out_of_order" if questions else "unseen"), None
    echoed = [q for q in before if answer.echo and q.stamp == answer.echo]
    if len(before) == 1 or echoed == before[-1:]:
        return "known", max(answer.t_ns - before[-1].t_ns, 0)
    return "ambiguous", None


def follows(syn, packet):
    """The packet continues the stream after its SYN and the data in that."""
    return (packet.seq - syn.seq - 1) % 2**32 in (0, syn.length)


def handshake(connection):
    syns = [p for p in connection.packets
            if p.flags & (SYN | ACK | RST) == SYN]
    answers = [p for p in connection.packets
               if p.flags & (SYN | ACK | RST) == SYN | ACK]
    if len({p.ends for p in syns}) > 1 or connection.ends[0] == \
            connection.ends[1]:
        return None  # simultaneous
    if syns:
        syns = [p for p in syns if p.seq == syns[0].seq]
        answers = [p for p in answers if p.ends[0] != syns[0].ends[0]]
    if not answers:
        return ("unseen", None), ("unseen", None), None
    first = answers[0]
    answers = [p for p in answers if p.seq == first.seq and
               p.ends == first.ends]
    early = [p for p in connection.packets
             if syns and syns[0].number < p.number < first.number and
             p.ends[0] == first.ends[1] and follows(syns[0], p) and
             p.flags & (ACK | SYN | RST) == ACK]
    if early and early[0].ack == (first.seq + 1) % 2**32 and \
            not any(p.untimed for p in connection.packets
                    if p.number <= first.number):
        return ("out_of_order", None), ("out_of_order", None), None
    thirds = [p for p in connection.packets
              if p.ends[0] == first.ends[1] and p.flags & ACK and
              not p.flags & (RST | SYN) and p.number > first.number and
              p.ack == (first.seq + 1) % 2**32 and
              (follows(syns[0], p) if syns else p.seq == first.ack)]
    last = (thirds or [first])[0].number
    if any(p.untimed for p in connection.packets if p.number <= last):
        return ("untimed", None), ("untimed", None), None
    a = leg(syns, first)
    if thirds:
        # Data that overtook the third packet answers too.
        ahead = [p for p in connection.packets
                 if p.ends[0] == first.ends[1] and p.flags & ACK and
                 not p.flags & (RST | SYN) and p.length and
                 first.number < p.number < thirds[0].number and
                 (p.ack - first.seq - 1) % 2**32 < 2**31]
        again = [p for p in answers if p.number < thirds[0].number]
        if ahead and len(again) == 1 and ahead[0].t_ns <= thirds[0].t_ns:
            thirds = ahead
    b = leg(answers, thirds[0]) if thirds else ("unseen", None)
    total = a[1] + b[1] if a[1] is not None and b[1] is not None else None
    return a, b, total


# ---- comparison ------------------------------------------------------------

def end_name(end):
    address = ipaddress.ip_address(bytes(end[0]))
    return ("%s:%d" if address.version == 4 else "[%s]:%d") % (
        address, end[1])


def recount(connection):
    """The two streams, by end."""
    streams = {end: Stream() for end in connection.ends}
    for packet in connection.packets:
        sender, receiver = packet.ends
        stream = streams[sender]
        stream.packets += 1
        add_ack(streams[receiver], packet)
        if not packet.flags & RST:
            add_data(stream, packet)
            window = packet.flags & ACK and not packet.flags & SYN
            if window:
                streams[receiver].window_zero = packet.zero
    return streams


class Report:
    def __init__(self, name):
        self.name, self.wrong, self.compared = name, 0, 0

    def expect(self, what, got, low, high=None):
        high = low if high is None else high
        self.compared += 1
        if got is None or not (low is None or low <= got <= high):
            self.wrong += 1
            wanted = low if low == high else "%s..%s" % (low, high)
            print("%s: %s is %s, recounted %s" % (self.name, what, got,
                                                  wanted))

    def unknown(self, what, got):
        self.compared += 1
        if got is not None:
            self.wrong += 1
            print("%s: %s is %s, recounted null" % (self.name, what, got))


def compare_side(report, where, said, stream):
    end = max(x for x in (stream.next, stream.acked, 0) if x is not None)
    begin = stream.begin if stream.begin is not None else end
    fin = stream.fin and end > begin
    have = stream.have.bytes(begin)
    have -= stream.fin and stream.fin_at >= begin
    report.expect(where + " packets", said["packets"], stream.packets)
    if not stream.packets:
        report.unknown(where + " retransmissions", said["retransmissions"])
        return
    report.expect(where + " stream_bytes", said["stream_bytes"],
                  max(end - begin - fin, 0))
    report.expect(where + " payload_bytes", said["payload_bytes"], have)
    report.expect(where + " retransmitted_frames",
                  said["retransmitted_frames"], *stream.again)
    report.expect(where + " retransmitted_bytes",
                  said["retransmitted_bytes"], *stream.again_bytes)
    report.expect(where + " late", said["reordered"] +
                  said.get("recorded_late", 0), *stream.late)


def compare_rtt(report, where, said, stream):
    """Samples may be fewer: some are not taken."""
    report.expect(where + " samples", said["samples"], 0, stream.samples)
    if said["samples"] and stream.rtts:
        for name in ("least_ns", "smoothed_ns"):
            report.expect("%s %s" % (where, name), said[name],
                          min(stream.rtts), max(stream.rtts))


def compare_leg(report, where, said, found):
    if said["state"] != found[0]:
        report.expect(where + " state " + said["state"] + ", not " + found[0],
                      1, 0)
    elif found[1] is not None:
        report.expect(where, said["took_ns"], found[1])


def compare(report, said, connection):
    where = "connection %d" % said["number"]
    names = {end_name(end): end for end in connection.ends}
    if said["client"] not in names or said["server"] not in names:
        report.expect(where + " ends", 0, 1)
        return
    ends = {side: names[said[side]] for side in ("client", "server")}
    if said["self_connect"]:
        return
    near = {"client": ["client"], "server": ["server"],
            "loopback": ["client", "server"]}.get(said["tap"], [])
    streams = recount(connection)
    report.expect(where + " packets", said["packets"],
                  len(connection.packets))
    for side, end in ends.items():
        compare_side(report, "%s %s" % (where, side), said["sides"][side],
                     streams[end])
        if side in near:
            compare_rtt(report, "%s %s rtt" % (where, side),
                        said["sides"][side]["rtt"], streams[end])
    legs = handshake(connection)
    if legs:
        shaken = said["handshake"]
        compare_leg(report, where + " SYN to SYN/ACK",
                    shaken["syn_to_synack"], legs[0])
        compare_leg(report, where + " SYN/ACK to ACK",
                    shaken["synack_to_ack"], legs[1])
        # A leg twice as long as an acknowledgement may contain a wait.
        waited = shaken["path_rtt_ns"] is None and any(
            times and took and min(times) < took / 2 for times, took in (
                (streams[ends["client"]].rtts, legs[0][1]),
                (streams[ends["server"]].rtts, legs[1][1])))
        if legs[2] is not None and not waited:
            report.expect(where + " round trip", shaken["path_rtt_ns"],
                          legs[2])


def recount_file(program, path, keep):
    report = Report(os.path.basename(path))
    ran = subprocess.run([program, "annotate", path, "--json"],
                         capture_output=True, check=False)
    if ran.returncode == 3:
        print("%s: refused" % report.name)
        return report
    if keep:
        with open(path + ".json", "wb") as file:
            file.write(ran.stdout)
    said = json.loads(ran.stdout)
    packets = []
    for number, record in enumerate(by_time(read_file(path)), 1):
        packet = read_tcp(*record)
        if packet:
            packet.number = number
            packets.append(packet)
    packets = [packet for packet in joined(packets) if packet]
    found = connections(without_copies(packets))
    report.expect("connections", len(said["connections"]), len(found))
    for one, connection in zip(said["connections"], found):
        compare(report, one, connection)
        # Positions in the stream, of events that have some.
        for event in one["events"]:
            low, high = event["from"], event["to"]
            report.expect("event %s" % event["kind"],
                          low is None or 0 <= low <= high, True)
    return report


def main():
    words = sys.argv[1:]
    keep = words[0] == "--keep"
    program, *paths = words[keep:]
    reports = [recount_file(program, path, keep) for path in paths]
    wrong = sum(report.wrong for report in reports)
    print("%d files, %d figures recounted, %d differ" % (
        len(paths), sum(report.compared for report in reports), wrong))
    return wrong > 0


if __name__ == "__main__":
    sys.exit(main())
