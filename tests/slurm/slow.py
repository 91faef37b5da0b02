"""Runs a program on a sick machine: every system call of the program and of its
children is examined by a filter of 4000 instructions, as by a security agent.

slow.py PROGRAM [ARGUMENT ...]. Needs root. Co-runners would not do: benchtop
recognises trials on a shared core. A filter is part of the system that is
measured, and costs the same however busy the machine is.
"""
import ctypes
import os
import struct
import sys

INSTRUCTIONS = 4000
PR_SET_SECCOMP, SECCOMP_MODE_FILTER, SECCOMP_RET_ALLOW = 22, 2, 0x7fff0000
LOAD_WORD, ADD, RETURN = 0x20, 0x04, 0x06  # classic BPF: linux/bpf_common.h

code = struct.pack("HBBI", LOAD_WORD, 0, 0, 0)
code += struct.pack("HBBI", ADD, 0, 0, 1) * (INSTRUCTIONS - 2)
code += struct.pack("HBBI", RETURN, 0, 0, SECCOMP_RET_ALLOW)
instructions = ctypes.create_string_buffer(code, len(code))
filter = ctypes.create_string_buffer(
    struct.pack("HP", INSTRUCTIONS, ctypes.addressof(instructions)))
libc = ctypes.CDLL(None, use_errno=True)
if libc.prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER,
              ctypes.c_void_p(ctypes.addressof(filter)), 0, 0):
    sys.exit("no filter: " + os.strerror(ctypes.get_errno()))
os.execvp(sys.argv[1], sys.argv[1:])
