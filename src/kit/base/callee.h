/*
 * Empty procedures with 0 to 7 arguments. They are compiled separately from
 * their callers, so that no call can be optimised away. Each accepts its
 * arguments (the compiler must pass them), reads no memory except a stack
 * argument, writes none, and returns.
 */
#ifndef BENCHTOP_CALLEE_H
#define BENCHTOP_CALLEE_H

/* Hidden, so that a call is direct and does not go through a table. */
#pragma GCC visibility push(hidden)

void callee_0(void);
void callee_1(long);
void callee_2(long, long);
void callee_3(long, long, long);
void callee_4(long, long, long, long);
void callee_5(long, long, long, long, long);
void callee_6(long, long, long, long, long, long);
void callee_7(long, long, long, long, long, long, long);

/* The same through one indirect jump each, like a bound symbol in the procedure
 * linkage table of a shared library. */
void linked_0(void);
void linked_1(long);
void linked_2(long, long);
void linked_3(long, long, long);
void linked_4(long, long, long, long);
void linked_5(long, long, long, long, long);
void linked_6(long, long, long, long, long, long);
void linked_7(long, long, long, long, long, long, long);

#pragma GCC visibility pop

/* Number of integer arguments passed in registers: System V AMD64 ABI 3.2.3,
 * AAPCS64 6.4.2. */
#if defined(__x86_64__)
enum { REGISTER_ARGUMENTS = 6 };
#else
enum { REGISTER_ARGUMENTS = 8 };
#endif

#endif
