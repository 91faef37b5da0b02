/*
 * Procedures to be called: 0 to 7 arguments, nothing inside, and compiled
 * apart from their callers so that no call can be optimised away. Each takes
 * its arguments (the compiler must deliver them), reads no memory but a stack
 * argument, writes none, and returns.
 */
#ifndef BENCHTOP_CALLEE_H
#define BENCHTOP_CALLEE_H

/* Hidden, so that a direct call is one, and not by way of a table. */
#pragma GCC visibility push(hidden)

void callee_0(void);
void callee_1(long);
void callee_2(long, long);
void callee_3(long, long, long);
void callee_4(long, long, long, long);
void callee_5(long, long, long, long, long);
void callee_6(long, long, long, long, long, long);
void callee_7(long, long, long, long, long, long, long);

/* The same through one indirect jump each, as the procedure linkage table of
 * a shared library has it once the symbol is bound. */
void linked_0(void);
void linked_1(long);
void linked_2(long, long);
void linked_3(long, long, long);
void linked_4(long, long, long, long);
void linked_5(long, long, long, long, long);
void linked_6(long, long, long, long, long, long);
void linked_7(long, long, long, long, long, long, long);

#pragma GCC visibility pop

/* How many integer arguments go in registers: System V AMD64 ABI 3.2.3,
 * AAPCS64 6.4.2. */
#if defined(__x86_64__)
enum { REGISTER_ARGUMENTS = 6 };
#else
enum { REGISTER_ARGUMENTS = 8 };
#endif

#endif
