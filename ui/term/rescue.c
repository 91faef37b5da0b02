/* Restores the terminal in a program that is being killed. */
#include "rescue.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

#include "memory.h"

enum { STACK_BYTES = 64 * 1024, UNDO_BYTES = 512 };

#define SENTENCE(name)             \
	"benchtop: ended by " name \
	"; `benchtop recover` recovers an interrupted run\n"
#define SIGNAL(name)                                          \
	{                                                     \
		.number = (name), .sentence = SENTENCE(#name) \
	}

static struct watched {
	int number;
	const char *sentence;
	bool caught;
	struct sigaction before;
} watched[] = {
	SIGNAL(SIGQUIT),
	SIGNAL(SIGILL),
	SIGNAL(SIGTRAP),
	SIGNAL(SIGABRT),
	SIGNAL(SIGBUS),
	SIGNAL(SIGFPE),
	SIGNAL(SIGSEGV),
	SIGNAL(SIGSYS),
	SIGNAL(SIGPIPE),
	SIGNAL(SIGALRM),
	SIGNAL(SIGVTALRM),
	SIGNAL(SIGPROF),
	SIGNAL(SIGUSR1),
	SIGNAL(SIGUSR2),
	SIGNAL(SIGXCPU),
	SIGNAL(SIGXFSZ),
};

enum { WATCHED = sizeof watched / sizeof *watched };

static struct termios settings;
static char undo[UNDO_BYTES];
/* Set last and cleared first: a signal in between never finds partly written
 * data. */
static volatile sig_atomic_t undo_length;

static void say(int fd, const char *bytes, size_t length)
{
	/* A failure cannot be reported any more. */
	if (write(fd, bytes, length) < 0)
		return;
}

static void restore(void)
{
	if (!undo_length)
		return;
	say(STDOUT_FILENO, undo, (size_t)undo_length);
	tcsetattr(STDIN_FILENO, TCSANOW, &settings);
}

static void rescue(int number)
{
	const char *sentence = "";

	restore();
	for (size_t i = 0; i < WATCHED; i++) {
		if (watched[i].number != number)
			continue;
		sentence = watched[i].sentence;
		sigaction(number, &watched[i].before, NULL);
	}
	say(STDERR_FILENO, sentence, strlen(sentence));
	/* The signal is blocked until the handler returns. A real fault recurs
	 * at the same instruction. */
	raise(number);
}

/* The fault may be a stack overflow, so the handler needs its own stack. */
static void need_stack(void)
{
	stack_t stack;

	if (sigaltstack(NULL, &stack) || !(stack.ss_flags & SS_DISABLE))
		return;
	stack = (stack_t){ .ss_sp = xmalloc(STACK_BYTES),
		.ss_size = STACK_BYTES };
	sigaltstack(&stack, NULL);
}

void rescue_arm(void)
{
	struct sigaction action = {
		.sa_handler = rescue,
		.sa_flags = SA_ONSTACK,
	};

	sigfillset(&action.sa_mask);
	tcgetattr(STDIN_FILENO, &settings);
	need_stack();
	memory_before_exit(restore);
	for (size_t i = 0; i < WATCHED; i++) {
		struct watched *one = &watched[i];

		sigaction(one->number, NULL, &one->before);
		/* An ignored signal does not kill the process. */
		one->caught = one->before.sa_handler != SIG_IGN;
		if (one->caught)
			sigaction(one->number, &action, NULL);
	}
}

void rescue_undo(const struct text *bytes)
{
	size_t length = bytes->length < UNDO_BYTES ? bytes->length : 0;

	undo_length = 0;
	if (length)
		memcpy(undo, bytes->chars, length);
	undo_length = (int)length;
}

void rescue_disarm(void)
{
	undo_length = 0;
	memory_before_exit(NULL);
	for (size_t i = 0; i < WATCHED; i++) {
		if (watched[i].caught)
			sigaction(watched[i].number, &watched[i].before, NULL);
		watched[i].caught = false;
	}
}
