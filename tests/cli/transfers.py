#!/usr/bin/env python3
"""Makes captures of TCP transfers with known losses and times.

    transfers.py FOLDER COUNT

The simulation has slow start, recovery by SACK (RFC 6675) and timeouts (RFC
6298). Data and acknowledgements are lost, delayed or overtaken. Each transfer
gives a capture at the sender and one at the receiver. If `late_ms` is not 0,
several queues record: a record is written up to that much later than its packet
passed, with the time of either: in half of the files times run backwards. For
each file it prints, as JSON, the end at which it was recorded, and
how many packets and bytes the sender sent again.
"""
import heapq
import json
import os
import random
import struct
import sys

MSS = 1448
CLIENT, SERVER = (b"\x0a\0\0\1", 40000), (b"\x0a\0\0\2", 5001)
FIN, SYN, PSH, ACK = 1, 2, 8, 16


class Transfer:
    def __init__(self, seed):
        r = self.random = random.Random(seed)
        self.rtt = r.choice([0.004, 0.02, 0.08])
        self.loss = r.choice([0, 0.005, 0.02])
        self.ack_loss = r.choice([0, 0.01])
        self.reorder = r.choice([0, 0.01, 0.05])
        self.late = r.choice([0, 0.000002, 0.0003, 0.00099])
        self.passed = r.random() < 0.5  # times of passing, not of writing
        self.stamps = r.random() < 0.7
        self.numbers = r.choice(["count", "zero", "random", "six"])
        # A router on the path takes 576 bytes: 1 in forward, 2 in reverse order.
        self.fragments = seed % 5 if self.numbers == "count" else 0
        most = r.choice([100, 100, 100, 800])
        self.bytes = r.randrange(20, most) * MSS + r.randrange(1, MSS)
        self.most = r.choice([20, 64, 200])
        self.begin = [r.randrange(2**32), r.randrange(2**32)]
        self.number = [r.randrange(1, 60000), r.randrange(1, 60000)]
        self.records = [[], []]  # at the sender, at the receiver
        self.events, self.order = [], 0
        self.now = 0.0
        self.una = self.next = self.again = self.again_bytes = 0
        # Sent again, and recorded at the receiver behind later data.
        self.again_seen, self.highest = 0, 0
        self.window, self.threshold = 10 * MSS, 1 << 30
        self.sacked, self.resent, self.sent = set(), {}, {}
        self.recover, self.duplicates, self.timer = 0, 0, 0
        self.backoff = 1
        self.have, self.expected, self.echo = {}, 0, 0
        self.fin_acked = False

    # ---- the network -----------------------------------------------------

    def at(self, when, call, *args):
        self.order += 1
        heapq.heappush(self.events, (when, self.order, call, args))

    def record(self, end, when, packet):
        late = self.random.random() * self.late
        self.order += 1
        self.records[end].append((when + late, self.order, packet, when))

    def send(self, end, flags, seq, ack, length, options, call, *args):
        """Sends a packet past both taps, unless it is lost between them."""
        clock = 1000000 * (end + 1) + int(self.now * 1000)
        packet = (end, self.number[end], flags, seq, ack, length, options,
                  clock, self.echo if end else self.echo_back)
        self.number[end] += 1
        self.record(end, self.now, packet)
        rare = self.ack_loss if end else self.loss
        handshake = flags & SYN or not length and end == 0
        if not handshake and self.random.random() < rare:
            return
        delay = self.rtt / 2
        if not handshake and self.random.random() < self.reorder:
            delay += self.random.random() * self.rtt / 4
        self.at(self.now + delay, self.arrive, packet, call, *args)

    def arrive(self, packet, call, *args):
        self.record(1 - packet[0], self.now, packet)
        if packet[0] == 0:
            self.echo = packet[7]
        else:
            self.echo_back = packet[7]
        call(*args)

    # ---- the sender --------------------------------------------------------

    def send_data(self, low, again):
        high = min(low + MSS, self.bytes)
        if again and self.now - self.sent.get(low, -1) < self.rtt / 2:
            return  # still under way: a sender waits longer
        self.sent[low] = self.now
        if again:
            self.again += 1
            self.again_bytes += high - low
            self.resent[low] = self.now
        self.send(0, ACK | PSH, 1 + low, 1, high - low, b"",
                  self.receive, low, high, again)

    def send_more(self):
        flight = self.next - self.una - MSS * len(self.sacked)
        while self.next < self.bytes and flight < min(self.window,
                                                      self.most * MSS):
            self.send_data(self.next, False)
            flight += MSS
            self.next = min(self.next + MSS, self.bytes)

    def set_timer(self):
        self.timer += 1
        self.at(self.now + max(0.2, 2 * self.rtt) * self.backoff,
                self.expire, self.timer)

    def expire(self, timer):
        if timer != self.timer or self.una >= self.bytes:
            return
        self.backoff *= 2
        self.threshold = max(self.window / 2, 2 * MSS)
        self.window = MSS
        self.recover = self.next
        self.duplicates = 0
        self.resent = {}
        self.sacked = set()
        self.send_data(self.una, True)
        self.set_timer()

    def repair(self):
        """Bytes at least three segments below the highest SACKed byte."""
        highest = max(self.sacked, default=0)
        budget = 3
        for low in range(self.una, highest - 2 * MSS, MSS):
            if low not in self.sacked and low not in self.resent and budget:
                self.send_data(low, True)
                budget -= 1

    def acknowledge(self, ack, blocks):
        for low, high in blocks:
            self.sacked |= set(range(low, high, MSS))
        if ack > self.una:
            fresh = ack - self.una
            self.una = ack
            self.sacked = {low for low in self.sacked if low >= ack}
            self.backoff = 1
            self.duplicates = 0
            if ack >= self.recover:
                self.window += (fresh if self.window < self.threshold else
                                MSS * MSS // self.window)
            self.set_timer()
        elif blocks:
            self.duplicates += 1
        if len(self.sacked) >= 3 and ack >= self.recover:
            self.recover = self.next
            self.window = self.threshold = max(self.window / 2, 2 * MSS)
            self.resent = {}
        if self.una < self.recover:
            if self.sacked:
                self.repair()
            elif self.una not in self.resent:
                self.send_data(self.una, True)
        if self.una >= self.bytes:
            self.finish()
        else:
            self.send_more()

    def finish(self):
        if not self.fin_acked:
            self.fin_acked = True
            self.send(0, FIN | ACK, 1 + self.bytes, 1, 0, b"", lambda: None)

    # ---- the receiver ------------------------------------------------------

    def receive(self, low, high, again):
        self.again_seen += again and low < self.highest
        self.highest = max(self.highest, high)
        for begin in range(low, high, MSS):
            self.have[begin] = min(begin + MSS, self.bytes)
        while self.expected in self.have:
            self.expected = self.have.pop(self.expected)
        blocks = []
        for begin in sorted(b for b in self.have if b > self.expected):
            if blocks and blocks[-1][1] == begin:
                blocks[-1][1] = self.have[begin]
            else:
                blocks.append([begin, self.have[begin]])
        blocks.sort(key=lambda block: not block[0] <= low < block[1])
        blocks = [tuple(block) for block in blocks[:3]]
        options = b""
        if blocks:
            options = struct.pack(">BBBB", 1, 1, 5, 2 + 8 * len(blocks))
            for block in blocks:
                options += struct.pack(">2I", *(
                    (self.begin[0] + 1 + place) % 2**32 for place in block))
        self.send(1, ACK, 1, 1 + self.expected, 0, options,
                  self.acknowledge, self.expected, blocks)

    def run(self):
        offer = b"\x02\x04" + struct.pack(">H", 1460) + b"\x01\x03\x03\x08" \
            + b"\x01\x01\x04\x02"
        self.echo_back = 0
        self.send(0, SYN, 0, 0, 0, offer, self.answer, offer)
        while self.events:
            self.now, _, call, args = heapq.heappop(self.events)
            call(*args)

    def answer(self, offer):
        self.send(1, SYN | ACK, 0, 1, 0, offer, self.open)

    def open(self):
        self.send(0, ACK, 1, 1, 0, b"", lambda: None)
        self.set_timer()
        self.send_more()

    # ---- packets as bytes --------------------------------------------------

    def bytes_of(self, packet):
        end, number, flags, seq, ack, length, options, clock, echo = packet
        ends = (CLIENT, SERVER) if end == 0 else (SERVER, CLIENT)
        if self.stamps:
            options = options + struct.pack(">BBBBII", 1, 1, 8, 10, clock,
                                            0 if flags == SYN else echo)
        seq = (self.begin[end] + seq) % 2**32
        ack = (self.begin[1 - end] + ack) % 2**32 if flags & ACK else 0
        tcp = struct.pack(">2H2IBBHHH", ends[0][1], ends[1][1], seq, ack,
                          (20 + len(options)) // 4 << 4, flags, 60000, 0, 0)
        tcp += options
        whole = len(tcp) + length
        if self.numbers == "six":
            pad = b"\x20\x01\x0d\xb8" + bytes(8)
            return struct.pack(">IHBB", 6 << 28, whole, 6, 64) + pad + \
                ends[0][0] + pad + ends[1][0] + tcp, 40 + whole
        if self.numbers == "random":
            number = self.random.randrange(1, 65536)
        number = 0 if self.numbers == "zero" else number % 65536
        return struct.pack(">BBHHHBBH", 0x45, 0, 20 + whole, number, 0x4000,
                           64, 6, 0) + ends[0][0] + ends[1][0] + tcp, \
            20 + whole

    def parts_of(self, data, wire):
        """Fragments of an IPv4 packet, or the packet itself."""
        if self.fragments not in (1, 2) or wire <= 576:
            return [(data, wire)]
        parts = []
        for at in range(0, wire - 20, 552):
            size = min(552, wire - 20 - at)
            more = 0x2000 if at + size < wire - 20 else 0
            head = data[:2] + struct.pack(">H", 20 + size) + data[4:6] + \
                struct.pack(">H", more | at // 8) + data[8:20]
            parts.append((head + data[20 + at:20 + at + size], 20 + size))
        return parts if self.fragments == 1 else parts[::-1]

    def write(self, path, end):
        with open(path, "wb") as file:
            file.write(struct.pack("<IHHiIII", 0xa1b23c4d, 2, 4, 0, 0, 65535,
                                   101))
            for when, _, packet, passed in sorted(self.records[end]):
                when = passed if self.passed else when
                nanos = int(when * 1e9) + 1700000000 * 10**9
                for data, wire in self.parts_of(*self.bytes_of(packet)):
                    file.write(struct.pack("<4I", nanos // 10**9,
                                           nanos % 10**9, len(data), wire))
                    file.write(data)


def main():
    folder, count = sys.argv[1], int(sys.argv[2])
    truth = {}
    for seed in range(count):
        transfer = Transfer(seed)
        transfer.run()
        for end, name in enumerate(("sender", "receiver")):
            file = "transfer-%03d-%s.pcap" % (seed, name)
            transfer.write(os.path.join(folder, file), end)
            truth[file] = {
                "tap": name, "packets": transfer.again,
                "bytes": transfer.again_bytes, "stream": transfer.bytes,
                "arrived": transfer.again_seen,
                "reorders": transfer.reorder > 0,
                "late_ms": transfer.late * 1e3,
                "timestamps": transfer.stamps,
                "fragments": transfer.fragments in (1, 2)}
    json.dump(truth, sys.stdout, indent=1)


if __name__ == "__main__":
    main()
