/*
 * Alignment clones: the same loop sixteen times, each shifted by four more
 * bytes within a block of 64.
 *
 * The alignment of a short loop, relative to the lines that the processor
 * fetches and decodes, can double its time (Mytkowicz et al., ASPLOS 2009;
 * Curtsinger and Berger, "STABILIZER", ASPLOS 2013). A single layout is not
 * representative, so every loop below 100 ns is measured in all sixteen.
 *
 * A clone is a function, aligned to 64 bytes, that begins with CLONE_PAD(n):
 * no-op instructions, executed once, which shift the loop. Timed code is
 * compiled without loop alignment, so that no other shift is added.
 *
 *     #define STEP(n)                                                       \
 *             static CLONE void step_##n(uint64_t ops)                      \
 *             {                                                             \
 *                     CLONE_PAD(n);                                         \
 *                     for (; ops; ops--) ..                                 \
 *             }
 *     CLONES(STEP)
 *     static void (*const steps[])(uint64_t) = { CLONES(STEP_NAME) };
 */
#ifndef BENCHTOP_CLONES_H
#define BENCHTOP_CLONES_H

/* Nothing is timed with a sanitizer. Without one in the clones, call.c compiles
 * in a third of the time. */
#if defined(__clang__)
#if __has_feature(address_sanitizer)
#define CLONE_PLAIN                                   \
	no_sanitize("address", "undefined", "coverage"), \
		no_profile_instrument_function,
#endif
#endif
#ifndef CLONE_PLAIN
#define CLONE_PLAIN
#endif

#define CLONE __attribute__((CLONE_PLAIN noinline, aligned(64)))

/* A no-op has one byte on x86, and four elsewhere. */
#if defined(__x86_64__)
#define CLONE_PAD(n) __asm__ volatile(".rept 4 * " #n "\n\tnop\n\t.endr")
#else
#define CLONE_PAD(n) __asm__ volatile(".rept " #n "\n\tnop\n\t.endr")
#endif

/* Applies a macro to 0 .. 15; CLONES_OF passes further arguments. */
#define CLONES(M)                                                            \
	M(0)                                                                 \
	M(1) M(2) M(3) M(4) M(5) M(6) M(7) M(8) M(9) M(10) M(11) M(12) M(13) \
		M(14) M(15)
#define CLONES_OF(M, ...)                                                     \
	M(0, __VA_ARGS__)                                                     \
	M(1, __VA_ARGS__) M(2, __VA_ARGS__) M(3, __VA_ARGS__)                 \
		M(4, __VA_ARGS__) M(5, __VA_ARGS__) M(6, __VA_ARGS__)         \
			M(7, __VA_ARGS__) M(8, __VA_ARGS__) M(9, __VA_ARGS__) \
				M(10, __VA_ARGS__) M(11, __VA_ARGS__)         \
					M(12, __VA_ARGS__) M(13, __VA_ARGS__) \
						M(14, __VA_ARGS__)            \
							M(15, __VA_ARGS__)

#endif
