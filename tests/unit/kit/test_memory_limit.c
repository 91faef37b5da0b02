/* Where a memory cgroup is created, on machines made of files: below the group
 * with version 1, beside it with version 2; and refusals. The trees are plain
 * folders, so the group itself is refused at the limit, and removed. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "check.h"
#include "leftover.h"
#include "memory_limit.h"
#include "text.h"

static char root[] = "/dev/shm/limits-XXXXXX";

static void put(const char *name, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
static void put(const char *name, const char *format, ...)
{
	struct text path = { 0 }, content = { 0 };
	va_list list;

	text_add(&path, "mkdir -p $(dirname %s/%s)", root, name);
	assert_int_equal(system(text_chars(&path)), 0);
	text_clear(&path);
	text_add(&path, "%s/%s", root, name);
	va_start(list, format);
	text_vadd(&content, format, list);
	va_end(list);
	FILE *file = fopen(text_chars(&path), "we");
	assert_non_null(file);
	fputs(text_chars(&content), file);
	fclose(file);
	text_free(&path);
	text_free(&content);
}

static void clean(void)
{
	char command[128];

	snprintf(command, sizeof command, "rm -rf %s/*", root);
	assert_int_equal(system(command), 0);
}

/* Refused when the limit is written, with the folder named. */
static void would_be_in(const char *folder)
{
	struct memory_limit limit;
	struct error error = { 0 };
	struct text wanted = { 0 };

	assert_int_equal(memory_limit_enter(&limit, root, 1 << 26, &error), -1);
	text_add(&wanted, "cannot limit a memory cgroup in '%s%s'", root,
		folder);
	if (!strstr(error.message, text_chars(&wanted)))
		fail_msg("no %s in: %s", text_chars(&wanted), error.message);
	assert_int_equal(limit.version, 0);
	text_clear(&wanted);
	text_add(&wanted, "test -z \"$(find %s -name 'benchtop-*')\"", root);
	assert_int_equal(system(text_chars(&wanted)), 0);
	text_free(&wanted);
}

static void test_first_version(void **state)
{
	put("proc/self/cgroup", "3:cpu:/\n4:memory:/a\n0::/\n");
	put("proc/self/mountinfo",
		"30 1 0:30 / /x rw - cgroup cgroup rw,cpu\n"
		"31 1 0:31 / %s/m rw - cgroup cgroup rw,memory\n",
		root);
	put("m/a/cgroup.procs", "1\n");
	would_be_in("/m/a");
	clean();
}

/* In a container the mount begins at the container's own group. */
static void test_container(void **state)
{
	put("proc/self/cgroup", "4:memory:/docker/c0ffee/b\n");
	put("proc/self/mountinfo",
		"31 1 0:31 /docker/c0ffee %s/m rw - cgroup cgroup rw,memory\n",
		root);
	put("m/b/cgroup.procs", "1\n");
	would_be_in("/m/b");
	clean();
}

static void test_second_version(void **state)
{
	put("proc/self/cgroup", "0::/p/own\n");
	put("proc/self/mountinfo", "31 1 0:31 / %s/u rw - cgroup2 cgroup2 rw\n",
		root);
	/* Beside the process's own cgroup, if the parent enables memory for its
	 * children. */
	put("u/p/cgroup.subtree_control", "cpu memory pids\n");
	put("u/p/own/cgroup.subtree_control", "\n");
	would_be_in("/u/p");
	/* Below the own cgroup, if this one enables memory. */
	put("u/p/own/cgroup.subtree_control", "memory\n");
	would_be_in("/u/p/own");
	clean();
}

static void refused(const char *why)
{
	struct memory_limit limit;
	struct error error = { 0 };

	assert_int_equal(memory_limit_enter(&limit, root, 1 << 26, &error), -1);
	assert_non_null(strstr(error.message, why));
	assert_int_equal(limit.version, 0);
	memory_limit_leave(&limit);
}

static void test_nowhere(void **state)
{
	refused("cannot make a memory cgroup");
	put("proc/self/cgroup", "0::/own\n");
	put("proc/self/mountinfo", "31 1 0:31 / %s/u rw - cgroup2 cgroup2 rw\n",
		root);
	put("u/cgroup.subtree_control", "cpu\n");
	put("u/own/cgroup.subtree_control", "\n");
	refused("not delegated to this group");
	clean();
}

/* Groups left by a crash are removed, groups in use are kept. */
static void test_sweep(void **state)
{
	struct text own = { 0 }, dead = { 0 }, path = { 0 };

	put("proc/self/cgroup", "4:memory:/a\n");
	put("proc/self/mountinfo",
		"31 1 0:31 / %s/m rw - cgroup cgroup rw,memory\n", root);
	put("m/a/cgroup.procs", "1\n");
	leftover_name(&own, 1);
	/* The same name with an impossible process id. */
	const char *host_end = own.chars + own.length;
	for (int i = 0; i < 3; i++)
		while (*--host_end != '-')
			;
	text_add(&dead, "%.*s-99999999-5-1", (int)(host_end - own.chars),
		own.chars);
	text_add(&path, "mkdir %s/m/a/%s %s/m/a/%s", root, own.chars + 1, root,
		dead.chars + 1);
	assert_int_equal(system(text_chars(&path)), 0);
	memory_limit_sweep(root);
	text_clear(&path);
	text_add(&path, "test -d %s/m/a/%s && test ! -e %s/m/a/%s", root,
		own.chars + 1, root, dead.chars + 1);
	assert_int_equal(system(text_chars(&path)), 0);
	text_free(&own);
	text_free(&dead);
	text_free(&path);
	clean();
}

static int make_root(void **state)
{
	return mkdtemp(root) ? 0 : -1;
}

static int remove_root(void **state)
{
	clean();
	return rmdir(root);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_first_version),
		cmocka_unit_test(test_container),
		cmocka_unit_test(test_second_version),
		cmocka_unit_test(test_nowhere),
		cmocka_unit_test(test_sweep),
	};

	return cmocka_run_group_tests(tests, make_root, remove_root);
}
