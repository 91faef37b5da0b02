/* The host of a remote file: URLs and mounts. */
#include "file_host.h"

#include "check.h"
#include "fake_root.h"

static const char mounts[] =
	"20 1 8:1 / / rw,relatime shared:1 - ext4 /dev/root rw\n"
	"31 20 0:41 / /mnt rw shared:2 - nfs4 outer:/all rw,vers=4.2,"
	"clientaddr=10.0.0.9,local_lock=none,addr=10.0.0.7\n"
	"32 31 0:42 / /mnt/in\\040side rw - nfs [fe80::1]:/x rw\n"
	"33 20 0:43 / /smb rw - cifs //files/share rw,addr=10.0.0.8\n"
	"34 20 0:44 / /ssh rw - fuse.sshfs me@far:/home/me rw\n"
	"35 20 0:45 / /tape rw - 9p share rw,trans=virtio\n"
	"36 20 0:46 / /over rw - nfs below:/x rw\n"
	"37 36 0:47 / /over rw - ext4 /dev/sdb1 rw\n";

static void assert_host(const char *where, const char *name,
	const char *address)
{
	struct file_host host;
	bool any = file_host(&host, where, fake_root);

	if (any != (*name != '\0') || strcmp(host.name, name) != 0 ||
		strcmp(host.address, address) != 0)
		fail_msg("%s: '%s' at '%s'", where, host.name, host.address);
}

static void mounts_name_their_host(void **state)
{
	fake_file("/proc/self/mountinfo", mounts);
	assert_host("/mnt", "outer", "10.0.0.7");
	assert_host("/mnt/a/b", "outer", "10.0.0.7");
	assert_host("/mnt/in side/c", "fe80::1", "");
	assert_host("/mnt/in sides", "outer", "10.0.0.7");
	assert_host("/smb/x", "files", "10.0.0.8");
	assert_host("/ssh", "far", "");
	/* No host is named, or no longer named. */
	assert_host("/", "", "");
	assert_host("/mntx", "", "");
	assert_host("/tape/x", "", "");
	assert_host("/over/x", "", "");
	assert_host("none", "", "");
}

static void urls_name_theirs(void **state)
{
	assert_host("nfs://nas/export/", "nas", "");
	assert_host("nfs://nas:2049/export/", "nas", "");
	assert_host("nfs://me@nas/export/?version=4", "nas", "");
	assert_host("nfs://[fe80::1]/export/", "fe80::1", "");
	assert_host("nfs:///export/", "", "");
}

static void hosts_are_told_apart(void **state)
{
	struct file_host nas = { "nas", "10.0.0.7" },
			 here = { "127.0.0.1", "" }, nobody = { "", "" };

	assert_true(file_host_is(&nas, "nas"));
	assert_true(file_host_is(&nas, "Nas:7000"));
	assert_true(file_host_is(&nas, "10.0.0.7:7000"));
	assert_false(file_host_is(&nas, "nas2"));
	assert_false(file_host_is(&nas, "loopback"));
	assert_false(file_host_is(&nas, "link"));
	assert_true(file_host_is(&here, "loopback"));
	assert_true(file_host_is(&here, "127.0.0.1"));
	assert_false(file_host_is(&here, "link"));
	assert_false(file_host_is(&nobody, "loopback"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(mounts_name_their_host,
			fake_open, fake_close),
		cmocka_unit_test_setup_teardown(urls_name_theirs, fake_open,
			fake_close),
		cmocka_unit_test(hosts_are_told_apart),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
