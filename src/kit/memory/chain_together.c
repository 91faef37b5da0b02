/* Several walks at once. Each is in a register of its own, so there are as many
 * as registers, in a function for each number of walks. */
#include "chain.h"

#if defined(__x86_64__)
#define REGISTERS "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15", \
		  "rax", "rcx", "rdx", "rsi"
#define EACH_1    "r8"
#define EACH_2    EACH_1 ",r9"
#define EACH_3    EACH_2 ",r10"
#define EACH_4    EACH_3 ",r11"
#define EACH_5    EACH_4 ",r12"
#define EACH_6    EACH_5 ",r13"
#define EACH_7    EACH_6 ",r14"
#define EACH_8    EACH_7 ",r15"
#define EACH_9    EACH_8 ",rax"
#define EACH_10   EACH_9 ",rcx"
#define EACH_11   EACH_10 ",rdx"
#define EACH_12   EACH_11 ",rsi"
#define TAKE      "mov chain_place(%[at]), %%\\r"
#define LOAD      "mov (%%\\r), %%\\r"
#define PUT       "mov %%\\r, chain_place(%[at])"
#define LOOP_END  "dec %[turns]\n\tjnz 1b\n\t"
#elif defined(__aarch64__)
#define REGISTERS "x4", "x5", "x6", "x7", "x8", "x9", "x10", "x11", "x12", \
		  "x13", "x14", "x15"
#define EACH_1    "4"
#define EACH_2    EACH_1 ",5"
#define EACH_3    EACH_2 ",6"
#define EACH_4    EACH_3 ",7"
#define EACH_5    EACH_4 ",8"
#define EACH_6    EACH_5 ",9"
#define EACH_7    EACH_6 ",10"
#define EACH_8    EACH_7 ",11"
#define EACH_9    EACH_8 ",12"
#define EACH_10   EACH_9 ",13"
#define EACH_11   EACH_10 ",14"
#define EACH_12   EACH_11 ",15"
#define TAKE      "ldr x\\r, [%[at], #chain_place]"
#define LOAD      "ldr x\\r, [x\\r]"
#define PUT       "str x\\r, [%[at], #chain_place]"
#define LOOP_END  "subs %[turns], %[turns], #1\n\tb.ne 1b\n\t"
#endif

/* `text` for each register, with its place in the array. */
#define PLACES(n, text)                                      \
	".set chain_place, 0\n\t.irp r," EACH_##n "\n\t" text \
	"\n\t.set chain_place, chain_place + 8\n\t.endr\n\t"
#define ROUNDS(n) \
	".rept 16\n\t.irp r," EACH_##n "\n\t" LOAD "\n\t.endr\n\t.endr\n\t"

#define WALK(n)                                                        \
	static void walk_##n(char **at, uint64_t turns)                \
	{                                                              \
		__asm__ volatile(PLACES(n, TAKE) "1:\n\t" ROUNDS(n)    \
				 LOOP_END PLACES(n, PUT)               \
				 : [turns] "+r"(turns)                 \
				 : [at] "r"(at)                        \
				 : "cc", "memory", REGISTERS);         \
	}

WALK(1)
WALK(2)
WALK(3)
WALK(4)
WALK(5)
WALK(6)
WALK(7)
WALK(8)
WALK(9)
WALK(10)
WALK(11)
WALK(12)

void chain_walk_together(char *at[CHAIN_WALKS_MOST], unsigned count,
	uint64_t turns)
{
	static void (*const walks[])(char **, uint64_t) = { walk_1, walk_2,
		walk_3, walk_4, walk_5, walk_6, walk_7, walk_8, walk_9,
		walk_10, walk_11, walk_12 };

	if (turns)
		walks[count - 1](at, turns);
}
