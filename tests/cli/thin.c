/* Thin environments. */
#include "thin.h"

#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/resource.h>

#include "memory_limit.h"
#include "namespace.h"
#include "new_calls.h"
#include "terminal.h"

static int thin_memory(void)
{
	static struct memory_limit limit;
	struct error error;

	return memory_limit_enter(&limit, "", THIN_BYTES, &error);
}

static int thin_space(void)
{
	const struct rlimit space = { THIN_BYTES, THIN_BYTES };

	return setrlimit(RLIMIT_AS, &space);
}

/* The last that is permitted. */
static int thin_processor(void)
{
	cpu_set_t all, one;
	int cpu = CPU_SETSIZE - 1;

	if (sched_getaffinity(0, sizeof all, &all))
		return -1;
	while (cpu > 0 && !CPU_ISSET(cpu, &all))
		cpu--;
	CPU_ZERO(&one);
	CPU_SET(cpu, &one);
	return sched_setaffinity(0, sizeof one, &one);
}

static int hide(const char *path)
{
	return own_namespaces(CLONE_NEWNS) ||
		mount("none", path, "tmpfs", 0, "mode=555");
}

static int thin_proc(void)
{
	return hide("/proc");
}

static int thin_sys(void)
{
	return hide("/sys");
}

int thin_nodes(void)
{
	return hide("/sys/devices/system/node");
}

int thin_true(void)
{
	return own_namespaces(CLONE_NEWNS) ||
		mount("/dev/null", "/bin/true", NULL, MS_BIND, NULL);
}

static const unsigned denied[] = { SYS_acct, SYS_add_key, SYS_bpf,
	SYS_clock_adjtime, SYS_clock_settime, SYS_delete_module,
	SYS_fanotify_init, SYS_finit_module, SYS_get_mempolicy, SYS_init_module,
	SYS_io_uring_enter, SYS_io_uring_register, SYS_io_uring_setup, SYS_kcmp,
	SYS_kexec_load, SYS_keyctl, SYS_lookup_dcookie, SYS_mbind, SYS_mount,
	SYS_move_mount, SYS_move_pages, SYS_name_to_handle_at,
	SYS_open_by_handle_at, SYS_open_tree, SYS_perf_event_open,
	SYS_pidfd_getfd, SYS_pivot_root, SYS_process_vm_readv,
	SYS_process_vm_writev,
	SYS_quotactl, SYS_reboot, SYS_request_key, SYS_set_mempolicy, SYS_setns,
	SYS_settimeofday, SYS_swapoff, SYS_swapon, SYS_syslog, SYS_umount2,
	SYS_unshare, SYS_userfaultfd, SYS_vhangup };

enum {
	DENIED = sizeof denied / sizeof *denied,
	NEW_SPACES = CLONE_NEWNS | CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWUSER |
		CLONE_NEWPID | CLONE_NEWNET | CLONE_NEWCGROUP,
	LINES = 2 * DENIED + 8,
};

static void deny(struct sock_filter *lines, unsigned *count, unsigned number,
	unsigned code)
{
	lines[(*count)++] = (struct sock_filter)BPF_JUMP(
		BPF_JMP | BPF_JEQ | BPF_K, number, 0, 1);
	lines[(*count)++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K,
		SECCOMP_RET_ERRNO | code);
}

/* As of Docker, for a process without capabilities
 * (docs.docker.com/engine/security/seccomp). */
static int thin_filter(void)
{
	struct sock_filter lines[LINES] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
			offsetof(struct seccomp_data, nr)),
	};
	const struct sock_filter clone[] = {
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clone, 0, 3),
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
			offsetof(struct seccomp_data, args)),
		BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, NEW_SPACES, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	unsigned count = 1;

	for (unsigned i = 0; i < DENIED; i++)
		deny(lines, &count, denied[i], EPERM);
	deny(lines, &count, SYS_clone3, ENOSYS);
	memcpy(lines + count, clone, sizeof clone);
	const struct sock_fprog program = {
		(unsigned short)(count + sizeof clone / sizeof *clone), lines
	};
	return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
		prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

static const struct {
	const char *name;
	int (*enter)(void);
} environments[THINS] = {
	[THIN_MEMORY] = { "a cgroup of 64 MB", thin_memory },
	[THIN_SPACE] = { "64 MB of address space", thin_space },
	[THIN_PROCESSOR] = { "one processor", thin_processor },
	[THIN_PROC] = { "no /proc", thin_proc },
	[THIN_SYS] = { "no /sys", thin_sys },
	[THIN_FILTER] = { "a container's filter", thin_filter },
};

static int call(const void *enter)
{
	return (*(int (*const *)(void))enter)();
}

struct ran run_thin(int (*enter)(void), const char *program, const char *line)
{
	const char *const words[] = { "-c", line, NULL };
	struct ran ran = run_after(call, &enter, program, words);

	memory_limit_sweep("");
	return ran;
}

struct ran run_thin_screen(enum thin in, const char *typed)
{
	static const char *const words[] = { NULL };
	struct ran ran = run_on_terminal_after(environments[in].enter, PROGRAM,
		words, ON_IN | ON_OUT | ON_ERR, typed);

	memory_limit_sweep("");
	return ran;
}

const char *thin_name(enum thin in)
{
	return environments[in].name;
}

/* ---- the table ---------------------------------------------------------- */

/* Prints what differs from the table. */
static bool is_as_stated(const struct thin_row *row, enum thin in,
	const struct ran *ran)
{
	const char *says = row->in[in].says;
	size_t length = strcspn(text_chars(&ran->err), "\n");
	bool one = ran->status == 0 || ran->err.length == length + 1;

	if (ran->status == row->in[in].status && one &&
		(!says || contains(&ran->err, says)))
		return true;
	print_error("%s: '%s' ends with %d: %s\n", environments[in].name,
		row->line, ran->status, text_chars(&ran->err));
	return false;
}

unsigned thin_differing(const struct thin_row *rows, size_t count)
{
	unsigned differing = 0;

	for (int in = 0; in < THINS; in++)
		for (size_t i = 0; i < count; i++) {
			if (rows[i].is_large && in > THIN_SPACE)
				continue;
			struct ran ran = run_thin(environments[in].enter,
				rows[i].is_shell ? "/bin/sh" : PROGRAM,
				rows[i].line);
			bool permitted = ran.status != -1;

			if (permitted)
				differing += !is_as_stated(&rows[i],
					(enum thin)in, &ran);
			else
				print_message("SKIP: not permitted here: %s\n",
					environments[in].name);
			ran_free(&ran);
			if (!permitted)
				break;
		}
	return differing;
}
