/* The bandwidth kernels of arm64; kernels.h describes what they share.
 *
 * Calling sequence (AAPCS64): x0 to, x1 from, x2 bytes of one region, a
 * multiple of 256 and not 0; x3 the word to write. Region i begins at
 * i * x2. Each turn of a loop covers 256 bytes, four lines of 64, of every
 * region. Reading kernels return the sum of all words, modulo 2^64. */
#if defined(__aarch64__)

	.text

.macro FUNCTION name
	.p2align 6
	.globl \name
	.hidden \name
	.type \name, %function
\name:
.endm

.macro END name
	ret
	.size \name, . - \name
.endm

/* ---- read ------------------------------------------------------------- */

FUNCTION kernel_read_loop
	mov	x4, #0
	add	x2, x1, x2
1:	ldr	x5, [x1], #8
	add	x4, x4, x5
	cmp	x1, x2
	b.ne	1b
	mov	x0, x4
END kernel_read_loop

FUNCTION kernel_read_unrolled
	mov	x4, #0
	mov	x5, #0
	mov	x6, #0
	mov	x7, #0
	add	x2, x1, x2
1:
	.irp at, 0,32,64,96,128,160,192,224
	ldp	x8, x9, [x1, #\at]
	ldp	x10, x11, [x1, #16+\at]
	add	x4, x4, x8
	add	x5, x5, x9
	add	x6, x6, x10
	add	x7, x7, x11
	.endr
	add	x1, x1, #256
	cmp	x1, x2
	b.ne	1b
	add	x4, x4, x5
	add	x6, x6, x7
	add	x0, x4, x6
END kernel_read_unrolled

/* Adds 32 bytes of each of four regions to two sums each. */
.macro SUM4 load at
	\load	q0, q1, [x1, #\at]
	\load	q2, q3, [x4, #\at]
	\load	q4, q5, [x5, #\at]
	\load	q6, q7, [x6, #\at]
	add	v16.2d, v16.2d, v0.2d
	add	v17.2d, v17.2d, v1.2d
	add	v18.2d, v18.2d, v2.2d
	add	v19.2d, v19.2d, v3.2d
	add	v20.2d, v20.2d, v4.2d
	add	v21.2d, v21.2d, v5.2d
	add	v22.2d, v22.2d, v6.2d
	add	v23.2d, v23.2d, v7.2d
.endm

.macro READ name load
FUNCTION \name
	.irp sum, v16.2d,v17.2d,v18.2d,v19.2d,v20.2d,v21.2d,v22.2d,v23.2d
	movi	\sum, #0
	.endr
	add	x4, x1, x2
	add	x5, x4, x2
	add	x6, x5, x2
	mov	x7, x4
1:
	.irp at, 0,32,64,96,128,160,192,224
	SUM4	\load \at
	.endr
	add	x1, x1, #256
	add	x4, x4, #256
	add	x5, x5, #256
	add	x6, x6, #256
	cmp	x1, x7
	b.ne	1b
	.irp sum, v17.2d,v18.2d,v19.2d,v20.2d,v21.2d,v22.2d,v23.2d
	add	v16.2d, v16.2d, \sum
	.endr
	addp	d16, v16.2d
	fmov	x0, d16
END \name
.endm

READ kernel_read_neon, ldp
READ kernel_read_neon_nt, ldnp

/* ---- write ------------------------------------------------------------ */

FUNCTION kernel_write_loop
	add	x2, x0, x2
1:	str	x3, [x0], #8
	cmp	x0, x2
	b.ne	1b
END kernel_write_loop

FUNCTION kernel_write_unrolled
	add	x2, x0, x2
1:
	.irp at, 0,32,64,96,128,160,192,224
	stp	x3, x3, [x0, #\at]
	stp	x3, x3, [x0, #16+\at]
	.endr
	add	x0, x0, #256
	cmp	x0, x2
	b.ne	1b
END kernel_write_unrolled

.macro WRITE name store
FUNCTION \name
	dup	v0.2d, x3
	add	x4, x0, x2
	mov	x5, x4
1:
	.irp at, 0,32,64,96,128,160,192,224
	\store	q0, q0, [x0, #\at]
	.endr
	.irp at, 0,32,64,96,128,160,192,224
	\store	q0, q0, [x4, #\at]
	.endr
	add	x0, x0, #256
	add	x4, x4, #256
	cmp	x0, x5
	b.ne	1b
END \name
.endm

WRITE kernel_write_neon, stp
WRITE kernel_write_neon_nt, stnp

/* ---- copy ------------------------------------------------------------- */

FUNCTION kernel_copy_loop
	add	x2, x1, x2
1:	ldr	x4, [x1], #8
	str	x4, [x0], #8
	cmp	x1, x2
	b.ne	1b
END kernel_copy_loop

FUNCTION kernel_copy_unrolled
	add	x2, x1, x2
1:
	.irp at, 0,32,64,96,128,160,192,224
	ldp	x4, x5, [x1, #\at]
	ldp	x6, x7, [x1, #16+\at]
	stp	x4, x5, [x0, #\at]
	stp	x6, x7, [x0, #16+\at]
	.endr
	add	x0, x0, #256
	add	x1, x1, #256
	cmp	x1, x2
	b.ne	1b
END kernel_copy_unrolled

/* Copies 128 bytes of one region. */
.macro MOVE load store to from at
	\load	q0, q1, [\from, #\at]
	\load	q2, q3, [\from, #32+\at]
	\load	q4, q5, [\from, #64+\at]
	\load	q6, q7, [\from, #96+\at]
	\store	q0, q1, [\to, #\at]
	\store	q2, q3, [\to, #32+\at]
	\store	q4, q5, [\to, #64+\at]
	\store	q6, q7, [\to, #96+\at]
.endm

.macro COPY name load store
FUNCTION \name
	add	x4, x1, x2
	add	x5, x4, x2
	add	x6, x5, x2
	add	x8, x0, x2
	add	x9, x8, x2
	add	x10, x9, x2
	mov	x7, x4
1:
	.irp at, 0,128
	MOVE	\load \store x0 x1 \at
	MOVE	\load \store x8 x4 \at
	MOVE	\load \store x9 x5 \at
	MOVE	\load \store x10 x6 \at
	.endr
	.irp i, 0,1,4,5,6,8,9,10
	add	x\i, x\i, #256
	.endr
	cmp	x1, x7
	b.ne	1b
END \name
.endm

COPY kernel_copy_neon, ldp, stp
COPY kernel_copy_neon_nt, ldnp, stnp

#endif

	.section .note.GNU-stack, "", %progbits
