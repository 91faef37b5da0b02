/* Fails or kills at one system call, by seccomp user notification. */
#include "inject.h"

#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <time.h>

#include "cli/watch.h"
#include "file.h"
#include "new_calls.h"
#include "shims/malloc_shim.h"

/* Architectures without the old calls have only the new ones. */
#ifndef SYS_open
#define SYS_open SYS_openat
#define SYS_fork SYS_clone
#define SYS_vfork SYS_clone
#define SYS_mkdir SYS_mkdirat
#define SYS_pipe SYS_pipe2
#define SYS_rename SYS_renameat2
#endif

#define CALLS(...) \
	.calls = (const int[]){ __VA_ARGS__ }, \
	.count = sizeof((const int[]){ __VA_ARGS__ }) / sizeof(int)

const struct call_kind call_kinds[] = {
	{ "open", EMFILE, CALLS(SYS_openat, SYS_open) },
	{ "read", EIO, CALLS(SYS_read, SYS_pread64), .once = true },
	{ "write", ENOSPC, CALLS(SYS_write, SYS_pwrite64, SYS_writev,
				   SYS_fallocate, SYS_ftruncate) },
	{ "fsync", EIO, CALLS(SYS_fsync, SYS_fdatasync) },
	{ "rename", EACCES, CALLS(SYS_rename, SYS_renameat2, SYS_linkat,
				    SYS_fchmod, SYS_mkdir, SYS_mkdirat) },
	{ "map", ENOMEM, CALLS(SYS_mmap), .of_files = true },
	{ "memory", ENOMEM, CALLS(SYS_mmap, SYS_brk, SYS_mremap) },
	{ "clone", EAGAIN, CALLS(SYS_clone, SYS_clone3, SYS_fork, SYS_vfork) },
	{ "socket", EMFILE, CALLS(SYS_socket, SYS_socketpair, SYS_pipe2,
				    SYS_pipe, SYS_accept4, SYS_eventfd2,
				    SYS_memfd_create) },
	{ "bind", EADDRNOTAVAIL, CALLS(SYS_bind, SYS_listen, SYS_connect) },
	{ "send", ENOBUFS, CALLS(SYS_sendmsg, SYS_sendto) },
	{ "receive", ENOMEM, CALLS(SYS_recvmsg, SYS_recvfrom) },
	{ "ioctl", EPERM, CALLS(SYS_ioctl, SYS_setsockopt) },
	{ "space", EPERM, CALLS(SYS_unshare, SYS_setns, SYS_mount) },
	{ "malloc", ENOMEM, .library = true },
	{ .name = NULL },
};

const char *const injury_names[] = { "fails", "fails from here on", "kills" };

enum {
	LEFT_MS = 10000, /* children may outlive the program so long: the
			  * kernel dismantles a network namespace first */
	LOOK_MS = 2,
	PAUSED_MS = 500, /* the most that a look takes */
	FILTER_MOST = 16,
	WORDS_MOST = 30,
};

/* A running program. */
struct patient {
	const struct injection *injection;
	pid_t pid;    /* 0: it has ended */
	int pidfd;
	int listener; /* where the kernel asks; -1: not for a library */
	unsigned count;
	struct malloc_order *order; /* NULL: calls fail, not a library's */
	int order_file;
	struct injured *injured;
};

/* ---- in the child ------------------------------------------------------- */

static int install(const struct call_kind *kind)
{
	struct sock_filter lines[FILTER_MOST];
	struct sock_fprog program = { 0, lines };
	unsigned short at = 0;

	lines[at++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
		offsetof(struct seccomp_data, nr));
	for (size_t i = 0; i < kind->count; i++)
		lines[at++] = (struct sock_filter)BPF_JUMP(
			BPF_JMP | BPF_JEQ | BPF_K, (unsigned)kind->calls[i],
			(uint8_t)(kind->count - i), 0);
	lines[at++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K,
		SECCOMP_RET_ALLOW);
	lines[at++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K,
		SECCOMP_RET_USER_NOTIF);
	program.len = at;
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
		return -1;
	return (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER,
		SECCOMP_FILTER_FLAG_NEW_LISTENER, &program);
}

/* Stops until the parent has taken the listener; there is none if a library
 * fails the calls and reads from the file which. */
static _Noreturn void become(const char *program, const char *const *words,
	const struct patient *patient, int *listener)
{
	char *copy[WORDS_MOST + 2] = { (char *)program }, path[64];

	for (size_t i = 0; words[i] && i < WORDS_MOST; i++)
		copy[i + 1] = (char *)words[i];
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (patient->order) {
		snprintf(path, sizeof path, "/proc/%d/fd/%d", (int)getppid(),
			patient->order_file);
		setenv("BENCHTOP_MALLOC", path, 1);
		setenv("LD_PRELOAD", MALLOC_SHIM, 1);
	} else {
		*listener = install(patient->injection->kind);
	}
	raise(SIGSTOP);
	execv(program, copy);
	_exit(127);
}

/* ---- in the parent ------------------------------------------------------ */

/* The program is killed if the kernel refuses the listener. */
static void begin(struct patient *patient, const char *program,
	const char *const *words, int out, int err)
{
	int *listener = mmap(NULL, sizeof *listener, PROT_READ | PROT_WRITE,
		MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	int null = open("/dev/null", O_RDONLY | O_CLOEXEC);

	patient->pid = fork();
	if (!patient->pid) {
		dup2(null, STDIN_FILENO);
		dup2(out, STDOUT_FILENO);
		dup2(err, STDERR_FILENO);
		become(program, words, patient, listener);
	}
	close(null);
	waitpid(patient->pid, NULL, WUNTRACED);
	patient->pidfd = (int)syscall(SYS_pidfd_open, patient->pid, 0);
	patient->listener = patient->order || *listener < 0 ?
		-1 :
		(int)syscall(SYS_pidfd_getfd, patient->pidfd, *listener, 0);
	munmap(listener, sizeof *listener);
	kill(patient->pid,
		patient->order || patient->listener >= 0 ? SIGCONT : SIGKILL);
}

static void begin_order(struct patient *patient)
{
	const struct injection *injection = patient->injection;

	patient->order_file = memfd_create("order", MFD_CLOEXEC);
	assert_int_equal(ftruncate(patient->order_file, sizeof *patient->order),
		0);
	patient->order = mmap(NULL, sizeof *patient->order,
		PROT_READ | PROT_WRITE, MAP_SHARED, patient->order_file, 0);
	assert_true(patient->order != MAP_FAILED);
	*patient->order = (struct malloc_order){
		.nth = injection->nth,
		.and_more = injection->injury == FAIL_FROM,
	};
}

static void end_order(struct patient *patient)
{
	patient->injured->reached = patient->order->reached;
	munmap(patient->order, sizeof *patient->order);
	close(patient->order_file);
}

/* Does another program than the tested one call, as a shell? */
static bool is_foreign(const struct seccomp_notif *call)
{
	char path[64], program[512];

	snprintf(path, sizeof path, "/proc/%u/exe", call->pid);
	ssize_t length = readlink(path, program, sizeof program - 1);
	program[length > 0 ? length : 0] = '\0';
	return !strstr(program, "/benchtop");
}

/* Does the call come from the dynamic linker? */
static bool is_linking(const struct seccomp_notif *call)
{
	char path[64], line[512];
	unsigned long long from, to;
	bool is = false;

	snprintf(path, sizeof path, "/proc/%u/maps", call->pid);
	FILE *maps = fopen(path, "re");
	while (maps && !is && fgets(line, sizeof line, maps))
		is = sscanf(line, "%llx-%llx", &from, &to) == 2 &&
			call->data.instruction_pointer >= from &&
			call->data.instruction_pointer < to &&
			strstr(line, "/ld-linux");
	if (maps)
		fclose(maps);
	return is;
}

static bool counts(const struct call_kind *kind,
	const struct seccomp_notif *call)
{
	const struct seccomp_data *data = &call->data;
	bool of_file = !(data->args[3] & MAP_ANONYMOUS);

	if (data->nr == SYS_write && data->args[0] == STDERR_FILENO)
		return false;
	if (data->nr == SYS_brk && !data->args[0])
		return false; /* cannot fail */
	if (data->nr == SYS_mmap && of_file != kind->of_files)
		return false;
	return !is_foreign(call) && !is_linking(call);
}

/* Is this call to be injured? */
static bool is_due(struct patient *patient, const struct seccomp_notif *call)
{
	const struct injection *injection = patient->injection;
	bool after = patient->count >= injection->nth;

	if (after && injection->injury != FAIL_FROM)
		return false;
	if (!counts(injection->kind, call))
		return false;
	patient->count++;
	return patient->count >= injection->nth;
}

/* Answers one question. A process may die while it asks. */
static void answer(struct patient *patient)
{
	const struct injection *injection = patient->injection;
	struct seccomp_notif call = { 0 };
	struct seccomp_notif_resp response = { 0 };

	if (ioctl(patient->listener, SECCOMP_IOCTL_NOTIF_RECV, &call))
		return;
	response.id = call.id;
	if (!is_due(patient, &call)) {
		response.flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE;
	} else if (injection->injury == KILL) {
		kill((pid_t)call.pid, SIGKILL);
		patient->injured->reached = true;
		return;
	} else {
		/* A failing brk() returns an address, not an error. */
		if (call.data.nr != SYS_brk)
			response.error = -injection->kind->error;
		patient->injured->reached = true;
	}
	ioctl(patient->listener, SECCOMP_IOCTL_NOTIF_SEND, &response);
}

/* Waits for the children. True if there are none. */
static bool reap(struct patient *patient)
{
	int status;

	for (;;) {
		pid_t pid = waitpid(-1, &status, WNOHANG);

		if (pid <= 0)
			return pid < 0;
		if (pid != patient->pid)
			continue;
		patient->pid = 0;
		patient->injured->ran.status = WIFEXITED(status) ?
			WEXITSTATUS(status) :
			128 + WTERMSIG(status);
	}
}

void kill_children(struct text *names)
{
	struct text path = { 0 };
	bool named = false;
	int child;

	text_add(&path, "/proc/self/task/%d/children", (int)getpid());
	while (waitpid(-1, NULL, WNOHANG) >= 0) {
		FILE *children = fopen(path.chars, "re");

		while (children && fscanf(children, "%d", &child) == 1) {
			char name[64], comm[64];

			snprintf(name, sizeof name, "/proc/%d/comm", child);
			if (!kill(child, SIGKILL) && !named &&
				!file_peek(name, comm, sizeof comm))
				text_add(names, " %s", comm);
		}
		if (children)
			fclose(children);
		named = true;
		pause_ms(LOOK_MS);
	}
	text_free(&path);
}

/* The time since the last call. All processes may have stood for a while. */
static uint64_t passed_ms(uint64_t *last_ms)
{
	uint64_t time_ms = (uint64_t)now_ms(), ms = time_ms - *last_ms;

	*last_ms = time_ms;
	return ms < PAUSED_MS ? ms : PAUSED_MS;
}

/* Answers until the program and its children have ended. */
static void attend(struct patient *patient)
{
	uint64_t waited_ms = 0, last_ms = (uint64_t)now_ms();
	uint64_t most_ms = patient->injection->hang_s * 1000;
	struct pollfd polled[] = { { patient->listener, POLLIN, 0 },
		{ patient->pidfd, POLLIN, 0 } };

	while (!reap(patient)) {
		waited_ms += passed_ms(&last_ms);
		if (!patient->pid && polled[1].fd >= 0) {
			polled[1].fd = -1;
			waited_ms = 0;
			most_ms = LEFT_MS;
		}
		if (waited_ms > most_ms) {
			patient->injured->hung = patient->pid != 0;
			kill_children(&patient->injured->left);
			return;
		}
		poll(polled, 2, patient->pid ? LOOK_MS * 50 : LOOK_MS);
		if (polled[0].revents & POLLIN)
			answer(patient);
		else if (polled[0].revents)
			polled[0].fd = -1; /* all that could ask have ended */
	}
}

static void read_output(int fd, struct text *text)
{
	char piece[65536];
	ssize_t got;

	lseek(fd, 0, SEEK_SET);
	while ((got = read(fd, piece, sizeof piece)) > 0)
		text_add_chars(text, piece, (size_t)got);
	close(fd);
}

struct injured inject(const char *program, const char *const *words,
	const struct injection *injection)
{
	struct injured injured = { .reached = false };
	struct patient patient = {
		.injection = injection,
		.injured = &injured,
	};
	int out = memfd_create("out", MFD_CLOEXEC);
	int err = memfd_create("err", MFD_CLOEXEC);

	if (injection->kind->library)
		begin_order(&patient);
	begin(&patient, program, words, out, err);
	attend(&patient);
	if (patient.order)
		end_order(&patient);
	if (patient.listener >= 0)
		close(patient.listener);
	close(patient.pidfd);
	read_output(out, &injured.ran.out);
	read_output(err, &injured.ran.err);
	return injured;
}

void injured_free(struct injured *injured)
{
	ran_free(&injured->ran);
	text_free(&injured->left);
}

bool inject_permitted(void)
{
	const char *const none[] = { NULL };
	const struct injection injection = { call_kinds, FAIL_ONE, 1, HANG_S };
	struct injured injured = inject("/bin/true", none, &injection);
	bool works = !injured.ran.status;

	injured_free(&injured);
	return works;
}
