/* A dependent addition of `step` to `sum`: a link of the chains that the test
 * experiments time. For inline assembly with sum as operand 0 and step as
 * operand 1. */
#ifndef BENCHTOP_TEST_ADDITION_H
#define BENCHTOP_TEST_ADDITION_H

#if defined(__x86_64__)
#define ADD "add %1, %0\n\t"
#elif defined(__aarch64__)
#define ADD "add %0, %0, %1\n\t"
#endif

#endif
