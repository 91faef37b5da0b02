/* Empty procedures, and their calls through a linkage table. */
#include "callee.h"

void callee_0(void)
{
	__asm__ volatile("");
}

void callee_1(long a)
{
	__asm__ volatile("" : : "r"(a));
}

void callee_2(long a, long b)
{
	__asm__ volatile("" : : "r"(a), "r"(b));
}

void callee_3(long a, long b, long c)
{
	__asm__ volatile("" : : "r"(a), "r"(b), "r"(c));
}

void callee_4(long a, long b, long c, long d)
{
	__asm__ volatile("" : : "r"(a), "r"(b), "r"(c), "r"(d));
}

void callee_5(long a, long b, long c, long d, long e)
{
	__asm__ volatile("" : : "r"(a), "r"(b), "r"(c), "r"(d), "r"(e));
}

void callee_6(long a, long b, long c, long d, long e, long f)
{
	__asm__ volatile("" : : "r"(a), "r"(b), "r"(c), "r"(d), "r"(e), "r"(f));
}

void callee_7(long a, long b, long c, long d, long e, long f, long g)
{
	__asm__ volatile(""
			 :
			 : "r"(a), "r"(b), "r"(c), "r"(d), "r"(e), "r"(f),
			 "r"(g));
}

/* One slot of a table and the jump through it. */
#if defined(__x86_64__)
#define JUMP(n) "\tjmp *slot_" #n "(%rip)\n"
#elif defined(__aarch64__)
#define JUMP(n)                                 \
	"\tadrp x16, slot_" #n "\n"             \
	"\tldr x17, [x16, :lo12:slot_" #n "]\n" \
	"\tbr x17\n"
#endif

#define LINKED(n)                                               \
	__asm__(".data\n\t.p2align 3\n"                         \
		"slot_" #n ":\t.quad callee_" #n "\n"           \
		".text\n\t.p2align 4\n"                         \
		"\t.globl linked_" #n "\n"                      \
		"\t.hidden linked_" #n "\n"                     \
		"\t.type linked_" #n ", %function\n"            \
		"linked_" #n ":\n" JUMP(n) "\t.size linked_" #n \
					   ", . - linked_" #n "\n");

LINKED(0)
LINKED(1)
LINKED(2)
LINKED(3)
LINKED(4)
LINKED(5)
LINKED(6)
LINKED(7)
