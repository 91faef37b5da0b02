/* The bandwidth kernels of x86-64; kernels.h describes what they share.
 *
 * Calling sequence (System V): rdi to, rsi from, rdx bytes of one region, a
 * multiple of 256 and not 0; rcx the word to write. Region i begins at
 * i * rdx. Each turn of a loop covers 256 bytes, four lines, of every region.
 * Reading kernels return the sum of all words, modulo 2^64. */
#if defined(__x86_64__)

	.text

.macro FUNCTION name
	.p2align 6
	.globl \name
	.hidden \name
	.type \name, @function
\name:
.endm

.macro END name
	ret
	.size \name, . - \name
.endm

/* Offsets of regions 3, 5 and 7; the others use scaled addressing. */
.macro INDEXES
	lea	(%rdx,%rdx,2), %r8
	lea	(%rdx,%rdx,4), %r9
	lea	(%r8,%rdx,4), %r10
.endm

/* ---- read ------------------------------------------------------------- */

FUNCTION kernel_read_loop
	xor	%eax, %eax
	add	%rsi, %rdx
1:	add	(%rsi), %rax
	add	$8, %rsi
	cmp	%rdx, %rsi
	jne	1b
END kernel_read_loop

FUNCTION kernel_read_unrolled
	xor	%eax, %eax
	xor	%ecx, %ecx
	xor	%r8d, %r8d
	xor	%r9d, %r9d
	add	%rsi, %rdx
1:
	.irp at, 0,32,64,96,128,160,192,224
	add	\at(%rsi), %rax
	add	8+\at(%rsi), %rcx
	add	16+\at(%rsi), %r8
	add	24+\at(%rsi), %r9
	.endr
	add	$256, %rsi
	cmp	%rdx, %rsi
	jne	1b
	add	%rcx, %rax
	add	%r8, %r9
	add	%r9, %rax
END kernel_read_unrolled

/* Adds a piece of each of eight regions to its own sum. */
.macro SUM8_SSE at
	paddq	\at(%rsi), %xmm0
	paddq	\at(%rsi,%rdx), %xmm1
	paddq	\at(%rsi,%rdx,2), %xmm2
	paddq	\at(%rsi,%r8), %xmm3
	paddq	\at(%rsi,%rdx,4), %xmm4
	paddq	\at(%rsi,%r9), %xmm5
	paddq	\at(%rsi,%r8,2), %xmm6
	paddq	\at(%rsi,%r10), %xmm7
.endm

.macro SUM8 reg at
	vpaddq	\at(%rsi), %\reg\()0, %\reg\()0
	vpaddq	\at(%rsi,%rdx), %\reg\()1, %\reg\()1
	vpaddq	\at(%rsi,%rdx,2), %\reg\()2, %\reg\()2
	vpaddq	\at(%rsi,%r8), %\reg\()3, %\reg\()3
	vpaddq	\at(%rsi,%rdx,4), %\reg\()4, %\reg\()4
	vpaddq	\at(%rsi,%r9), %\reg\()5, %\reg\()5
	vpaddq	\at(%rsi,%r8,2), %\reg\()6, %\reg\()6
	vpaddq	\at(%rsi,%r10), %\reg\()7, %\reg\()7
.endm

/* Adds the eight sums up in the first. */
.macro FOLD8 reg
	vpaddq	%\reg\()1, %\reg\()0, %\reg\()0
	vpaddq	%\reg\()3, %\reg\()2, %\reg\()2
	vpaddq	%\reg\()5, %\reg\()4, %\reg\()4
	vpaddq	%\reg\()7, %\reg\()6, %\reg\()6
	vpaddq	%\reg\()2, %\reg\()0, %\reg\()0
	vpaddq	%\reg\()6, %\reg\()4, %\reg\()4
	vpaddq	%\reg\()4, %\reg\()0, %\reg\()0
.endm

.macro FOLD_YMM
	vextracti128 $1, %ymm0, %xmm1
	vpaddq	%xmm1, %xmm0, %xmm0
	vpsrldq	$8, %xmm0, %xmm1
	vpaddq	%xmm1, %xmm0, %xmm0
	vmovq	%xmm0, %rax
	vzeroupper
.endm

FUNCTION kernel_read_sse
	INDEXES
	.irp i, 0,1,2,3,4,5,6,7
	pxor	%xmm\i, %xmm\i
	.endr
	lea	(%rsi,%rdx), %rcx
1:
	.irp at, 0,16,32,48,64,80,96,112,128,144,160,176,192,208,224,240
	SUM8_SSE \at
	.endr
	add	$256, %rsi
	cmp	%rcx, %rsi
	jne	1b
	.irp i, 1,2,3,4,5,6,7
	paddq	%xmm\i, %xmm0
	.endr
	movdqa	%xmm0, %xmm1
	psrldq	$8, %xmm1
	paddq	%xmm1, %xmm0
	movq	%xmm0, %rax
END kernel_read_sse

FUNCTION kernel_read_avx
	INDEXES
	.irp i, 0,1,2,3,4,5,6,7
	vpxor	%xmm\i, %xmm\i, %xmm\i
	.endr
	lea	(%rsi,%rdx), %rcx
1:
	.irp at, 0,32,64,96,128,160,192,224
	SUM8 ymm \at
	.endr
	add	$256, %rsi
	cmp	%rcx, %rsi
	jne	1b
	FOLD8 ymm
	FOLD_YMM
END kernel_read_avx

FUNCTION kernel_read_avx512
	INDEXES
	.irp i, 0,1,2,3,4,5,6,7
	vpxor	%xmm\i, %xmm\i, %xmm\i
	.endr
	lea	(%rsi,%rdx), %rcx
1:
	.irp at, 0,64,128,192
	SUM8 zmm \at
	.endr
	add	$256, %rsi
	cmp	%rcx, %rsi
	jne	1b
	FOLD8 zmm
	vextracti64x4 $1, %zmm0, %ymm1
	vpaddq	%ymm1, %ymm0, %ymm0
	FOLD_YMM
END kernel_read_avx512

/* Prefetches sixteen lines ahead, at a region's end into the next region. */
FUNCTION kernel_read_prefetch_avx
	INDEXES
	.irp i, 0,1,2,3,4,5,6,7
	vpxor	%xmm\i, %xmm\i, %xmm\i
	.endr
	lea	(%rsi,%rdx), %rcx
1:
	.irp at, 0,64,128,192
	prefetcht0 1024+\at(%rsi)
	prefetcht0 1024+\at(%rsi,%rdx)
	prefetcht0 1024+\at(%rsi,%rdx,2)
	prefetcht0 1024+\at(%rsi,%r8)
	prefetcht0 1024+\at(%rsi,%rdx,4)
	prefetcht0 1024+\at(%rsi,%r9)
	prefetcht0 1024+\at(%rsi,%r8,2)
	prefetcht0 1024+\at(%rsi,%r10)
	SUM8 ymm \at
	SUM8 ymm 32+\at
	.endr
	add	$256, %rsi
	cmp	%rcx, %rsi
	jne	1b
	FOLD8 ymm
	FOLD_YMM
END kernel_read_prefetch_avx

/* Any number of bytes; the instruction keeps only the last word. */
FUNCTION kernel_read_rep_lods
	xor	%eax, %eax
	mov	%rdx, %rcx
	shr	$3, %rcx
	rep lodsq
END kernel_read_rep_lods

/* ---- write ------------------------------------------------------------ */

FUNCTION kernel_write_loop
	add	%rdi, %rdx
1:	mov	%rcx, (%rdi)
	add	$8, %rdi
	cmp	%rdx, %rdi
	jne	1b
END kernel_write_loop

FUNCTION kernel_write_unrolled
	add	%rdi, %rdx
1:
	.irp at, 0,32,64,96,128,160,192,224
	mov	%rcx, \at(%rdi)
	mov	%rcx, 8+\at(%rdi)
	mov	%rcx, 16+\at(%rdi)
	mov	%rcx, 24+\at(%rdi)
	.endr
	add	$256, %rdi
	cmp	%rdx, %rdi
	jne	1b
END kernel_write_unrolled

/* Writes 256 bytes of one region, in pieces of 16, 32 or 64. */
.macro STORE_XMM insn to
	.irp at, 0,16,32,48,64,80,96,112,128,144,160,176,192,208,224,240
	\insn	%xmm0, \at\to
	.endr
.endm

.macro STORE_YMM insn to
	.irp at, 0,32,64,96,128,160,192,224
	\insn	%ymm0, \at\to
	.endr
.endm

.macro STORE_ZMM insn to
	.irp at, 0,64,128,192
	\insn	%zmm0, \at\to
	.endr
.endm

.macro WRITE name width insn
FUNCTION \name
	movq	%rcx, %xmm0
	punpcklqdq %xmm0, %xmm0
	.ifc \width, YMM
	vinserti128 $1, %xmm0, %ymm0, %ymm0
	.endif
	.ifc \width, ZMM
	vpbroadcastq %rcx, %zmm0
	.endif
	lea	(%rdi,%rdx), %rcx
1:	STORE_\width \insn "(%rdi)"
	STORE_\width \insn "(%rdi,%rdx)"
	add	$256, %rdi
	cmp	%rcx, %rdi
	jne	1b
	.ifnc \width, XMM
	vzeroupper
	.endif
END \name
.endm

WRITE kernel_write_sse, XMM, movdqa
WRITE kernel_write_avx, YMM, vmovdqa
WRITE kernel_write_avx512, ZMM, vmovdqa64
WRITE kernel_write_nt_sse, XMM, movntdq
WRITE kernel_write_nt_avx, YMM, vmovntdq
WRITE kernel_write_nt_avx512, ZMM, vmovntdq

/* Any number of bytes, each the lowest byte of the word. */
FUNCTION kernel_write_rep_stos
	mov	%rcx, %rax
	mov	%rdx, %rcx
	rep stosb
END kernel_write_rep_stos

/* ---- copy ------------------------------------------------------------- */

FUNCTION kernel_copy_loop
	add	%rsi, %rdx
1:	mov	(%rsi), %rax
	mov	%rax, (%rdi)
	add	$8, %rsi
	add	$8, %rdi
	cmp	%rdx, %rsi
	jne	1b
END kernel_copy_loop

FUNCTION kernel_copy_unrolled
	add	%rsi, %rdx
1:
	.irp at, 0,32,64,96,128,160,192,224
	mov	\at(%rsi), %rax
	mov	8+\at(%rsi), %rcx
	mov	16+\at(%rsi), %r8
	mov	24+\at(%rsi), %r9
	mov	%rax, \at(%rdi)
	mov	%rcx, 8+\at(%rdi)
	mov	%r8, 16+\at(%rdi)
	mov	%r9, 24+\at(%rdi)
	.endr
	add	$256, %rsi
	add	$256, %rdi
	cmp	%rdx, %rsi
	jne	1b
END kernel_copy_unrolled

.macro MOVE_XMM load store at
	.irp i, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15
	\load	16*\i(%rsi\at), %xmm\i
	.endr
	.irp i, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15
	\store	%xmm\i, 16*\i(%rdi\at)
	.endr
.endm

.macro MOVE_YMM load store at
	.irp i, 0,1,2,3,4,5,6,7
	\load	32*\i(%rsi\at), %ymm\i
	.endr
	.irp i, 0,1,2,3,4,5,6,7
	\store	%ymm\i, 32*\i(%rdi\at)
	.endr
.endm

.macro MOVE_ZMM load store at
	.irp i, 0,1,2,3
	\load	64*\i(%rsi\at), %zmm\i
	.endr
	.irp i, 0,1,2,3
	\store	%zmm\i, 64*\i(%rdi\at)
	.endr
.endm

.macro AHEAD at
	.irp i, 0,64,128,192
	prefetcht0 1024+\i(%rsi\at)
	.endr
.endm

.macro COPY name width load store ahead=0
FUNCTION \name
	lea	(%rdx,%rdx,2), %r8
	lea	(%rsi,%rdx), %rcx
1:
	.irp at, "", ",%rdx", ",%rdx,2", ",%r8"
	.if \ahead
	AHEAD	"\at"
	.endif
	MOVE_\width \load \store "\at"
	.endr
	add	$256, %rsi
	add	$256, %rdi
	cmp	%rcx, %rsi
	jne	1b
	.ifnc \width, XMM
	vzeroupper
	.endif
END \name
.endm

COPY kernel_copy_sse, XMM, movdqa, movdqa
COPY kernel_copy_avx, YMM, vmovdqa, vmovdqa
COPY kernel_copy_avx512, ZMM, vmovdqa64, vmovdqa64
COPY kernel_copy_prefetch_avx, YMM, vmovdqa, vmovdqa, 1
COPY kernel_copy_nt_sse, XMM, movdqa, movntdq
COPY kernel_copy_nt_avx, YMM, vmovdqa, vmovntdq
COPY kernel_copy_nt_avx512, ZMM, vmovdqa64, vmovntdq

/* Any number of bytes. */
FUNCTION kernel_copy_rep_movs
	mov	%rdx, %rcx
	rep movsb
END kernel_copy_rep_movs

#endif

	.section .note.GNU-stack, "", %progbits
