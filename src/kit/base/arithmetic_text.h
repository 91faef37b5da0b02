/*
 * The instructions of arithmetic loops as texts for inline assembly, for each
 * architecture. The types are W32 and W64 (unsigned integers), "s" (float) and
 * "d" (double).
 *
 *     CHAIN_op(w)      integers: a link of a chain; a division also adds b
 *     TURN_op(w)       integers: independent operations, one per register
 *     FIRST_op(w, x)   reals: the operation with the register x; SECOND_op: its
 *                      inverse, so that x neither grows nor shrinks
 *     EACH(kind, w, text)   the text for each independent register
 *
 * The operands are [x], [a], [b], the number of rounds [left] and, for
 * integers, [t]. A loop of independent operations begins with SET_.. for each
 * register, and its round has TURNS_.. turns.
 */
#ifndef BENCHTOP_ARITHMETIC_TEXT_H
#define BENCHTOP_ARITHMETIC_TEXT_H

/* Operations in a round of a loop. */
enum { ARITHMETIC_ROUND = 120 };

#if defined(__x86_64__)

/* The names of the registers depend on the type. */
#define W32            "r8d,r9d,r10d,r11d,r12d,r13d,r14d,r15d,ecx,edx"
#define W64            "r8,r9,r10,r11,r12,r13,r14,r15,rcx,rdx"
#define NAMED(w, name) "%[" name "]"
#define X(w)           "%[x]"
#define LOOP_END       "dec %[left]\n\tjnz 1b"

#define EACH_INTEGER(w) w
#define COUNT_INTEGER   "10"
#define TURNS_INTEGER   "12"
#define REG_INTEGER(w)  "%%\\r"
#define SET_INTEGER(w)  "mov %[x], " REG_INTEGER(w)
#define CLOBBERED_INTEGER                                               \
	"r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15", "rcx", "rdx"
#define INTEGER_xor(w, x)      "xor %[a], " x
#define INTEGER_add(w, x)      "add %[a], " x
#define INTEGER_multiply(w, x) "imul %[a], " x

/* Divides rax. Few registers are left for independent operations. */
#define CHAIN_X            "+a"
#define CHAIN_CLOBBERED    "rdx"
#define APART_X            "m"
#define APART_T            "=&a"
#define DIVIDE             "xor %%edx, %%edx\n\tdiv %[a]\n\t"
#define CHAIN_divide(w)    DIVIDE "add %[b], %[x]"
#define CHAIN_remainder(w) DIVIDE "lea (%%rdx, %q[b]), %[x]"
#define APART_divide(w)    "mov %[x], %[t]\n\t" DIVIDE
#define APART_remainder(w) APART_divide(w)

#define EACH_REAL(w) "0,1,2,3,4,5,6,7,8,9,10,11"
#define TURNS_REAL   "5"
#define REG_REAL(w)  "%%xmm\\r"
#define SET_REAL(w)  "movaps %[x], " REG_REAL(w)
#define CLOBBERED_REAL                                                  \
	"xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", \
		"xmm8", "xmm9", "xmm10", "xmm11"
#define KIND_REAL             "x"
#define FIRST_add(w, x)       "adds" w " %[a], " x
#define SECOND_add(w, x)      "subs" w " %[a], " x
#define FIRST_multiply(w, x)  "muls" w " %[a], " x
#define SECOND_multiply(w, x) "muls" w " %[b], " x
#define FIRST_divide(w, x)    "divs" w " %[a], " x
#define SECOND_divide(w, x)   "divs" w " %[b], " x
#define FIRST_fma(w, x)       "vfmadd213s" w " %[b], %[a], " x

#elif defined(__aarch64__)

#define W32            "w"
#define W64            "x"
#define NAMED(w, name) "%" w "[" name "]"
#define X(w)           NAMED(w, "x")
#define T(w)           NAMED(w, "t")
#define BY(x, w, by)   " " x ", " x ", " NAMED(w, by)
#define LOOP_END       "subs %[left], %[left], #1\n\tb.ne 1b"

#define EACH_INTEGER(w) "4,5,6,7,8,9,10,11,12,13,14,15"
#define COUNT_INTEGER   "12"
#define TURNS_INTEGER   "10"
#define REG_INTEGER(w)  w "\\r"
#define SET_INTEGER(w)  "mov " REG_INTEGER(w) ", " X(w)
#define CLOBBERED_INTEGER                                                  \
	"x4", "x5", "x6", "x7", "x8", "x9", "x10", "x11", "x12", "x13", "x14", \
		"x15"
#define INTEGER_xor(w, x)      "eor" BY(x, w, "a")
#define INTEGER_add(w, x)      "add" BY(x, w, "a")
#define INTEGER_multiply(w, x) "mul" BY(x, w, "a")

#define CHAIN_X         "+r"
#define CHAIN_CLOBBERED "cc"
#define APART_X         "r"
#define APART_T         "=&r"
#define DIVIDE(w, to)   "udiv " to ", " X(w) ", " NAMED(w, "a") "\n\t"
#define LEFT(w, to)     "msub " to ", " T(w) ", " NAMED(w, "a") ", " X(w) "\n\t"
#define CHAIN_divide(w) DIVIDE(w, X(w)) "add" BY(X(w), w, "b")
#define CHAIN_remainder(w) \
	DIVIDE(w, T(w)) LEFT(w, X(w)) "add" BY(X(w), w, "b")
#define APART_divide(w)    DIVIDE(w, T(w))
#define APART_remainder(w) DIVIDE(w, T(w)) LEFT(w, T(w))

#define EACH_REAL(w) \
	"12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31"
#define TURNS_REAL  "3"
#define REG_REAL(w) w "\\r"
#define SET_REAL(w) "fmov " REG_REAL(w) ", " X(w)
#define CLOBBERED_REAL                                                \
	"v12", "v13", "v14", "v15", "v16", "v17", "v18", "v19", "v20", \
		"v21", "v22", "v23", "v24", "v25", "v26", "v27", "v28", \
		"v29", "v30", "v31"
#define KIND_REAL             "w"
#define FIRST_add(w, x)       "fadd" BY(x, w, "a")
#define SECOND_add(w, x)      "fsub" BY(x, w, "a")
#define FIRST_multiply(w, x)  "fmul" BY(x, w, "a")
#define SECOND_multiply(w, x) "fmul" BY(x, w, "b")
#define FIRST_divide(w, x)    "fdiv" BY(x, w, "a")
#define SECOND_divide(w, x)   "fdiv" BY(x, w, "b")
#define FIRST_fma(w, x)       "fmadd" BY(x, w, "a") ", " NAMED(w, "b")

#endif

#define SECOND_fma(w, x) FIRST_fma(w, x)

#define REPEAT(count, text) ".rept " count "\n\t" text "\n\t.endr\n\t"
#define EACH(kind, w, text) \
	".irp r," EACH_##kind(w) "\n\t" text "\n\t.endr\n\t"

#define CHAIN_xor(w)      INTEGER_xor(w, X(w))
#define CHAIN_add(w)      INTEGER_add(w, X(w))
#define CHAIN_multiply(w) INTEGER_multiply(w, X(w))

#define TURN(op, w)       EACH(INTEGER, w, INTEGER_##op(w, REG_INTEGER(w)))
#define TURN_xor(w)       TURN(xor, w)
#define TURN_add(w)       TURN(add, w)
#define TURN_multiply(w)  TURN(multiply, w)
#define TURN_divide(w)    REPEAT(COUNT_INTEGER, APART_divide(w))
#define TURN_remainder(w) REPEAT(COUNT_INTEGER, APART_remainder(w))

#endif
