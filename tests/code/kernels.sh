#!/bin/sh
# kernels.sh PROGRAM: the loop of each bandwidth kernel moves data only by the
# instructions in its name.
set -eu
program=$1
status=0
count=0

# kernel NAME WANTED FORBIDDEN: extended regular expressions.
kernel() {
	text=$(objdump -d --no-show-raw-insn --disassemble="kernel_$1" \
		"$program" | sed -n '/>:$/,$p')
	count=$((count + 1))
	if ! echo "$text" | grep -qE "$2"; then
		echo "wrong: kernel_$1 has no '$2'" >&2
		status=1
	fi
	if [ -n "$3" ] && echo "$text" | grep -E "$3" >&2; then
		echo "wrong: kernel_$1 has '$3'" >&2
		status=1
	fi
}

case $(uname -m) in
x86_64)
	vector='%[xyz]mm'
	wide='%zmm'
	kernel read_loop 'add +\(%rsi\),%rax' "$vector"
	kernel read_unrolled 'add +0xf8\(%rsi\),' "$vector"
	kernel read_sse 'paddq +0xf0\(%rsi,%r10,1\),%xmm7' '%[yz]mm|vpaddq'
	kernel read_avx 'vpaddq +0xe0\(%rsi,%r10,1\),%ymm7' "$wide|prefetch"
	kernel read_avx512 'vpaddq +0xc0\(%rsi,%r10,1\),%zmm7' prefetch
	kernel read_prefetch_avx 'prefetcht0 +0x4c0\(%rsi,%r10,1\)' "$wide"
	kernel read_prefetch_avx 'vpaddq +0xe0\(%rsi,%r10,1\),%ymm7' "$wide"
	kernel read_rep_lods 'rep lods +%ds:\(%rsi\),%rax' "$vector"
	kernel write_loop 'mov +%rcx,\(%rdi\)' "$vector"
	kernel write_unrolled 'mov +%rcx,0xf8\(%rdi\)' "$vector"
	kernel write_sse 'movdqa +%xmm0,0xf0\(%rdi,%rdx,1\)' '%[yz]mm|movnt'
	kernel write_avx 'vmovdqa +%ymm0,0xe0\(%rdi,%rdx,1\)' "$wide|movnt"
	kernel write_avx512 'vmovdqa64 +%zmm0,0xc0\(%rdi,%rdx,1\)' movnt
	kernel write_rep_stos 'rep stos +%al,%es:\(%rdi\)' "$vector"
	kernel write_nt_sse 'movntdq +%xmm0,0xf0\(%rdi,%rdx,1\)' '%[yz]mm'
	kernel write_nt_avx 'vmovntdq +%ymm0,0xe0\(%rdi,%rdx,1\)' "$wide"
	kernel write_nt_avx512 'vmovntdq +%zmm0,0xc0\(%rdi,%rdx,1\)' movdqa
	kernel copy_loop 'mov +%rax,\(%rdi\)' "$vector"
	kernel copy_unrolled 'mov +%r9,0xf8\(%rdi\)' "$vector"
	kernel copy_sse 'movdqa +%xmm15,0xf0\(%rdi,%r8,1\)' '%[yz]mm|movnt'
	kernel copy_avx 'vmovdqa +%ymm7,0xe0\(%rdi,%r8,1\)' "$wide|movnt"
	kernel copy_avx512 'vmovdqa64 +%zmm3,0xc0\(%rdi,%r8,1\)' movnt
	kernel copy_prefetch_avx 'prefetcht0 +0x4c0\(%rsi,%r8,1\)' "$wide|movnt"
	kernel copy_rep_movs 'rep movsb +%ds:\(%rsi\),%es:\(%rdi\)' "$vector"
	kernel copy_nt_sse 'movntdq +%xmm15,0xf0\(%rdi,%r8,1\)' '%[yz]mm'
	kernel copy_nt_avx 'vmovntdq +%ymm7,0xe0\(%rdi,%r8,1\)' "$wide"
	kernel copy_nt_avx512 'vmovntdq +%zmm3,0xc0\(%rdi,%r8,1\)' ''
	# One fence after the last pass, not one in each.
	kernel fence mfence sfence
	kernel run ret fence
	;;
aarch64)
	kernel read_loop 'ldr	x5, \[x1\], #8' '\<[vq][0-9]'
	kernel read_unrolled 'ldp	x10, x11' '\<[vq][0-9]'
	kernel read_neon 'ldp	q6, q7' ldnp
	kernel read_neon_nt 'ldnp	q6, q7' '	ldp'
	kernel write_loop 'str	x3, \[x0\], #8' '\<[vq][0-9]'
	kernel write_unrolled 'stp	x3, x3' '\<[vq][0-9]'
	kernel write_neon 'stp	q0, q0' stnp
	kernel write_neon_nt 'stnp	q0, q0' '	stp'
	kernel copy_loop 'str	x4, \[x0\], #8' '\<[vq][0-9]'
	kernel copy_unrolled 'stp	x6, x7' '\<[vq][0-9]'
	kernel copy_neon 'stp	q6, q7' 'ldnp|stnp'
	kernel copy_neon_nt 'stnp	q6, q7' '	(ldp|stp)'
	kernel fence 'dsb	ish' ''
	kernel run ret dsb
	;;
esac
echo "$count signatures"
[ "$count" -ge 13 ] || status=1
exit $status
