#!/usr/bin/env python3
"""Tapes as seeds of the fuzzer: tapes of killed labs in, the inputs of
tape_input.h out, with the first samples only, so that a mutation has an effect.

    tape_seeds.py FOLDER-OF-SEEDS TAPE...
"""
import os
import struct
import sys

LINE, SEED = 168, 8360  # offsets in struct tape_header
SAMPLE = 32
LAUNCH = 1  # kind of a sample
FEW = 300  # samples


# Published samples, of which nearly all are trials.
def trials_of(tape):
    return struct.unpack_from("<Q", tape, 24)[0] if len(tape) > SEED else 0


def first_launch(tape, at):
    while at + SAMPLE <= len(tape):
        kind, number = struct.unpack_from("<B3xI", tape, at)
        if kind == LAUNCH and number:
            return at
        at += SAMPLE
    return at


def seed_of(tape):
    begin, = struct.unpack_from("<I", tape, 12)
    length, = struct.unpack_from("<Q", tape, 24)
    line = tape[LINE:SEED].split(b"\0")[0]
    rest = tape[SEED:begin].rstrip(b"\0")
    if not line.startswith((b"run ", b"ab ")):
        raise ValueError("not a tape of this version: %r" % line)
    end = begin + SAMPLE * length
    first = first_launch(tape[:end], begin)
    samples = tape[first:min(end, first + SAMPLE * FEW)]
    return line + b"\n" + struct.pack("<H", len(rest)) + rest + samples


def main():
    for path in sys.argv[2:]:
        with open(path, "rb") as file:
            seed = seed_of(file.read())
        with open(os.path.join(sys.argv[1], os.path.basename(path)),
                  "wb") as file:
            file.write(seed)


if __name__ == "__main__":
    main()
