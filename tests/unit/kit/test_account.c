/* Why a congestion control was refused: the sentence does not deny what it
 * lists. */
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "account.h"
#include "check.h"
#include "file.h"

static int refusal; /* errno of every congestion control; 0: ask the kernel */

/* Replaces the function of the C library. */
int setsockopt(int fd, int level, int name, const void *value,
	socklen_t length)
{
	if (refusal && level == IPPROTO_TCP && name == TCP_CONGESTION) {
		errno = refusal;
		return -1;
	}
	return (int)syscall(SYS_setsockopt, fd, level, name, value, length);
}

static void prepare(const char *congestion, int why, char sentence[400])
{
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	assert_true(fd >= 0);
	refusal = why;
	assert_int_equal(
		account_prepare(fd, congestion, 0, 0, sentence, 400), -1);
	refusal = 0;
	close(fd);
}

static void test_refusals(void **state)
{
	char offered[256], sentence[400];

	if (file_peek("/proc/sys/net/ipv4/tcp_available_congestion_control",
		    offered, sizeof offered))
		skip();
	prepare("none", 0, sentence);
	assert_non_null(strstr(sentence,
		"congestion=none is not available, expected one of: "));
	/* A part of an offered name is another name. */
	for (char *word = strtok(offered, " "); word;
		word = strtok(NULL, " ")) {
		prepare(word, ENOENT, sentence);
		assert_non_null(strstr(sentence,
			" cannot be set, although the kernel offers it: No "
			"such file or directory; qemu-user, "));
		word[strlen(word) - 1] = '\0';
		prepare(word, ENOENT, sentence);
		assert_non_null(strstr(sentence, " is not available, "));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_refusals),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
