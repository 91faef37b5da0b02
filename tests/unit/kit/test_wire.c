/* Frames: whole, cut, changed, too long; keys and tokens. */
#include <fcntl.h>
#include <linux/posix_acl.h>
#include <linux/posix_acl_xattr.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "check.h"
#include "token.h"
#include "wire.h"

enum { TYPE = WIRE_OWN + 5 };

struct pair {
	int ends[2];
	struct wire a, b;
};

static void open_pair(struct pair *pair)
{
	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, pair->ends), 0);
	wire_init(&pair->a, pair->ends[0]);
	wire_init(&pair->b, pair->ends[1]);
}

static void close_pair(struct pair *pair)
{
	close(pair->ends[0]);
	close(pair->ends[1]);
}

static void put_fields(struct wire_out *out)
{
	wire_put_u8(out, 7);
	wire_put_u16(out, 0x1234);
	wire_put_u32(out, 0xdeadbeef);
	wire_put_u64(out, UINT64_C(0x0123456789abcdef));
	wire_put_f64(out, -1.5e300);
	wire_put_text(out, "cubic");
}

/* The number of bytes that put_fields() writes. */
enum { FIELDS = 1 + 2 + 4 + 8 + 8 + 2 + 5 };

static void get_fields(struct wire_in *in)
{
	char text[16];

	assert_int_equal(wire_get_u8(in), 7);
	assert_int_equal(wire_get_u16(in), 0x1234);
	assert_int_equal(wire_get_u32(in), 0xdeadbeef);
	assert_true(wire_get_u64(in) == UINT64_C(0x0123456789abcdef));
	assert_true(wire_get_f64(in) == -1.5e300);
	wire_get_text(in, text, sizeof text);
	assert_string_equal(text, "cubic");
	assert_false(in->bad);
}

static void test_fields_come_back(void **state)
{
	struct wire_out out = { 0 };

	put_fields(&out);
	assert_int_equal(out.length, FIELDS);
	struct wire_in in = { .at = out.bytes, .left = out.length };
	get_fields(&in);
	assert_int_equal(in.left, 0);
}

static void test_every_truncation_is_bad(void **state)
{
	struct wire_out out = { 0 };
	char text[16];

	put_fields(&out);
	for (size_t cut = 0; cut < FIELDS; cut++) {
		/* Allocated on the heap, so that a sanitizer detects a read
		 * past the end. */
		uint8_t *copy = malloc(cut + 1);
		memcpy(copy, out.bytes, cut);
		struct wire_in in = { .at = copy, .left = cut };

		wire_get_u8(&in);
		wire_get_u16(&in);
		wire_get_u32(&in);
		wire_get_u64(&in);
		wire_get_f64(&in);
		wire_get_text(&in, text, sizeof text);
		assert_true(in.bad);
		/* The error remains. */
		assert_int_equal(wire_get_u8(&in), 0);
		free(copy);
	}
}

static void test_texts_have_a_limit(void **state)
{
	struct wire_out out = { 0 };
	char text[16] = "before";

	wire_put_text(&out, "sixteen letters!");
	struct wire_in in = { .at = out.bytes, .left = out.length };
	wire_get_text(&in, text, sizeof text);
	assert_true(in.bad);
	assert_string_equal(text, "");
	/* A length beyond the end of the frame. */
	uint8_t lie[] = { 0xff, 0xff, 'a' };
	in = (struct wire_in){ .at = lie, .left = sizeof lie };
	wire_get_text(&in, text, sizeof text);
	assert_true(in.bad);
	/* Terminal control characters are shown as text, not sent to the
	 * terminal. */
	uint8_t escape[] = { 0, 3, 0x1b, '[', 'm' };
	in = (struct wire_in){ .at = escape, .left = sizeof escape };
	wire_get_text(&in, text, sizeof text);
	assert_string_equal(text, "\\x1b[m");
}

static void test_what_does_not_fit_is_not_sent(void **state)
{
	struct wire_out out = { 0 };
	struct pair pair;

	open_pair(&pair);
	out.length = WIRE_PAYLOAD_MAX - 1;
	wire_put_u16(&out, 1);
	assert_true(out.full);
	assert_int_equal(wire_send(&pair.a, TYPE, &out), -1);
	close_pair(&pair);
}

static void test_frames_come_in_order(void **state)
{
	struct wire_out out = { 0 };
	struct wire_in in;
	struct pair pair;

	open_pair(&pair);
	put_fields(&out);
	for (int i = 0; i < 3; i++)
		assert_int_equal(wire_send(&pair.a, TYPE + i, &out), 0);
	for (int i = 0; i < 3; i++) {
		assert_int_equal(wire_receive(&pair.b, &in, 1000), WIRE_FRAME);
		assert_int_equal(in.type, TYPE + i);
		get_fields(&in);
	}
	assert_int_equal(wire_take(&pair.b, &in), WIRE_MORE);
	assert_int_equal(wire_receive(&pair.b, &in, 1), WIRE_TIMEOUT);
	close(pair.ends[0]);
	assert_int_equal(wire_receive(&pair.b, &in, 1000), WIRE_CLOSED);
	close(pair.ends[1]);
}

/* The bytes of a frame on the wire. */
static size_t raw_frame(uint8_t *raw, size_t size)
{
	struct wire_out out = { 0 };
	struct pair pair;

	open_pair(&pair);
	put_fields(&out);
	assert_int_equal(wire_send(&pair.a, TYPE, &out), 0);
	ssize_t length = read(pair.ends[1], raw, size);
	close_pair(&pair);
	assert_int_equal(length, WIRE_HEAD + FIELDS + WIRE_TAG);
	return (size_t)length;
}

static enum wire_got taken_of(const uint8_t *raw, size_t length)
{
	struct wire_in in;
	struct pair pair;

	open_pair(&pair);
	assert_int_equal(write(pair.ends[0], raw, length), length);
	enum wire_got got = wire_take(&pair.b, &in);
	close_pair(&pair);
	return got;
}

static void test_no_part_of_a_frame_is_one(void **state)
{
	uint8_t raw[256];
	size_t length = raw_frame(raw, sizeof raw);

	for (size_t cut = 1; cut < length; cut++)
		assert_int_equal(taken_of(raw, cut), WIRE_MORE);
	assert_int_equal(taken_of(raw, length), WIRE_FRAME);
}

static void test_no_changed_frame_is_one(void **state)
{
	uint8_t raw[256];
	size_t length = raw_frame(raw, sizeof raw);

	for (size_t bit = 0; bit < 8 * length; bit++) {
		raw[bit / 8] ^= (uint8_t)(1u << bit % 8);
		/* With a larger length the reader waits for bytes that do not
		 * arrive. */
		assert_int_not_equal(taken_of(raw, length), WIRE_FRAME);
		raw[bit / 8] ^= (uint8_t)(1u << bit % 8);
	}
}

static void test_lengths_are_judged_first(void **state)
{
	static const uint32_t lengths[] = { WIRE_EARLY_MAX + 1, 0x7fffffff,
		0x80000000, 0xffffffef, 0xfffffff0, 0xffffffff };
	uint8_t raw[256];

	raw_frame(raw, sizeof raw);
	for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
		for (int byte = 0; byte < 4; byte++)
			raw[8 + byte] =
				(uint8_t)(lengths[i] >> (24 - 8 * byte));
		assert_int_equal(taken_of(raw, WIRE_HEAD), WIRE_BROKEN);
	}
	/* For the largest permitted length the reader waits. */
	memset(raw + 8, 0, 4);
	raw[10] = WIRE_EARLY_MAX >> 8;
	assert_int_equal(taken_of(raw, WIRE_HEAD), WIRE_MORE);
}

static void test_noise_is_refused(void **state)
{
	uint64_t seed = 42;

	for (int i = 0; i < 2000; i++) {
		uint8_t noise[64];

		for (size_t k = 0; k < sizeof noise; k++) {
			seed = seed * 6364136223846793005u +
				1442695040888963407u;
			noise[k] = (uint8_t)(seed >> 56);
		}
		assert_int_equal(taken_of(noise, sizeof noise), WIRE_BROKEN);
	}
}

static void test_a_frame_cannot_be_played_again(void **state)
{
	uint8_t raw[256];
	size_t length = raw_frame(raw, sizeof raw);
	struct wire_in in;
	struct pair pair;

	open_pair(&pair);
	assert_int_equal(write(pair.ends[0], raw, length), length);
	assert_int_equal(write(pair.ends[0], raw, length), length);
	assert_int_equal(wire_take(&pair.b, &in), WIRE_FRAME);
	assert_int_equal(wire_take(&pair.b, &in), WIRE_BROKEN);
	close_pair(&pair);
}

static void test_keys_bind_direction_and_transcript(void **state)
{
	struct wire_transcript transcript = { 0 }, other;
	uint8_t key[WIRE_KEY], wrong[WIRE_KEY];
	uint8_t near[WIRE_PROOF], far[WIRE_PROOF], again[WIRE_PROOF];
	struct wire_in in;
	struct pair pair;

	wire_token_key("a token that is long enough", 27, key);
	wire_token_key("a token that is long enougH", 27, wrong);
	wire_keep_hello(&transcript, "hello", 5);
	wire_keep_challenge(&transcript, "challenge", 9);
	other = transcript;
	wire_keep_challenge(&other, "challengf", 9);
	wire_proof(key, false, &transcript, NULL, 0, near);
	wire_proof(key, true, &transcript, NULL, 0, far);
	assert_false(wire_same(near, far, WIRE_PROOF));
	wire_proof(key, false, &other, NULL, 0, again);
	assert_false(wire_same(near, again, WIRE_PROOF));
	wire_proof(wrong, false, &transcript, NULL, 0, again);
	assert_false(wire_same(near, again, WIRE_PROOF));
	wire_proof(key, false, &transcript, NULL, 0, again);
	assert_true(wire_same(near, again, WIRE_PROOF));

	for (int right = 0; right < 2; right++) {
		open_pair(&pair);
		wire_use_key(&pair.a, key, false, &transcript);
		wire_use_key(&pair.b, right ? key : wrong, true, &transcript);
		assert_int_equal(wire_send(&pair.a, TYPE, NULL), 0);
		assert_int_equal(wire_take(&pair.b, &in),
			right ? WIRE_FRAME : WIRE_BROKEN);
		close_pair(&pair);
	}
	assert_false(wire_keep_hello(&transcript, NULL, WIRE_EARLY_MAX + 1));
}

/* Bytes moved across the border of two parts change every proof and key. */
static void test_proofs_bind_the_borders_of_parts(void **state)
{
	static const struct {
		const char *hello, *challenge, *more;
	} moved[] = { { "abc", "def", "ghi" }, { "abcd", "ef", "ghi" },
		{ "ab", "cdef", "ghi" }, { "abc", "defg", "hi" },
		{ "abcdef", "", "ghi" }, { "", "abcdefghi", "" } };
	enum { WAYS = sizeof moved / sizeof *moved };
	uint8_t key[WIRE_KEY] = { 1 }, proof[WAYS][WIRE_PROOF];
	struct wire keyed[WAYS];

	for (size_t i = 0; i < WAYS; i++) {
		struct wire_transcript transcript = { 0 };

		wire_keep_hello(&transcript, moved[i].hello,
			strlen(moved[i].hello));
		wire_keep_challenge(&transcript, moved[i].challenge,
			strlen(moved[i].challenge));
		wire_proof(key, true, &transcript, moved[i].more,
			strlen(moved[i].more), proof[i]);
		wire_use_key(&keyed[i], key, true, &transcript);
		for (size_t k = 0; k < i; k++)
			assert_false(wire_same(proof[i], proof[k], WIRE_PROOF));
	}
	/* Keys do not depend on `more`. */
	assert_false(wire_same(keyed[0].key_in, keyed[1].key_in, WIRE_KEY));
	assert_false(wire_same(keyed[0].key_out, keyed[2].key_out, WIRE_KEY));
}

/* ---- tokens ----------------------------------------------------------- */

static char path[] = "/tmp/benchtop-token-XXXXXX";

static int read_token(const char *content, mode_t mode, struct error *error)
{
	uint8_t key[WIRE_KEY];
	chmod(path, 0600); /* it may be read-only */
	int fd = open(path, O_WRONLY | O_TRUNC);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, content, strlen(content)), strlen(content));
	fchmod(fd, mode);
	close(fd);
	return token_read(path, key, error);
}

static void test_a_token_is_its_owners(void **state)
{
	static const char good[] = "0123456789abcdef\n";
	uint8_t key[WIRE_KEY];
	struct error error;

	close(mkstemp(path));
	assert_int_equal(read_token(good, 0600, &error), 0);
	assert_int_equal(read_token(good, 0400, &error), 0);
	assert_int_equal(read_token(good, 0640, &error), -1);
	assert_non_null(strstr(error.message, "chmod 600"));
	assert_int_equal(read_token(good, 0604, &error), -1);
	assert_int_equal(read_token("0123456789abcde \n", 0600, &error), -1);
	assert_non_null(strstr(error.message, "too short"));
	char *long_one = calloc(1, 1030);
	memset(long_one, 'x', 1025);
	assert_int_equal(read_token(long_one, 0600, &error), -1);
	assert_non_null(strstr(error.message, "too long"));
	free(long_one);
	unlink(path);
	assert_int_equal(token_read(path, key, &error), -1);
	assert_int_equal(token_read("/dev/null", key, &error), -1);
}

/* One named user or group beside the owner; the mode becomes 0440. */
static bool set_acl(unsigned tag, unsigned id, unsigned group_reads)
{
	struct {
		struct posix_acl_xattr_header head;
		struct posix_acl_xattr_entry entry[5];
	} acl = { { POSIX_ACL_XATTR_VERSION },
		{ { ACL_USER_OBJ, ACL_READ, ACL_UNDEFINED_ID },
			{ (uint16_t)tag, ACL_READ, id },
			{ ACL_GROUP_OBJ, (uint16_t)group_reads,
				ACL_UNDEFINED_ID },
			{ ACL_MASK, ACL_READ, ACL_UNDEFINED_ID },
			{ ACL_OTHER, 0, ACL_UNDEFINED_ID } } };

	/* Entries are in the order of their tags. */
	if (tag == ACL_GROUP) {
		struct posix_acl_xattr_entry named = acl.entry[1];

		acl.entry[1] = acl.entry[2];
		acl.entry[2] = named;
	}
	return !setxattr(path, "system.posix_acl_access", &acl, sizeof acl, 0);
}

/* So a service receives its credentials from systemd. */
static void test_a_list_may_name_this_user(void **state)
{
	static const char good[] = "0123456789abcdef\n";
	uint8_t key[WIRE_KEY];
	struct error error;
	struct stat about;

	memset(path + strlen(path) - 6, 'X', 6);
	close(mkstemp(path));
	assert_int_equal(read_token(good, 0600, &error), 0);
	/* A user namespace has no other user. */
	if (!set_acl(ACL_USER, geteuid() + 1, 0) ||
		!set_acl(ACL_USER, geteuid(), 0)) {
		unlink(path);
		print_message("SKIP: not permitted here: a list of access "
			      "rights in /tmp\n");
		skip();
	}
	assert_int_equal(stat(path, &about), 0);
	assert_int_equal(about.st_mode & 0777, 0440);
	assert_int_equal(token_read(path, key, &error), 0);
	assert_true(set_acl(ACL_USER, geteuid() + 1, 0));
	assert_int_equal(token_read(path, key, &error), -1);
	assert_true(set_acl(ACL_GROUP, getegid(), 0));
	assert_int_equal(token_read(path, key, &error), -1);
	assert_true(set_acl(ACL_USER, geteuid(), ACL_READ));
	assert_int_equal(token_read(path, key, &error), -1);
	unlink(path);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_fields_come_back),
		cmocka_unit_test(test_every_truncation_is_bad),
		cmocka_unit_test(test_texts_have_a_limit),
		cmocka_unit_test(test_what_does_not_fit_is_not_sent),
		cmocka_unit_test(test_frames_come_in_order),
		cmocka_unit_test(test_no_part_of_a_frame_is_one),
		cmocka_unit_test(test_no_changed_frame_is_one),
		cmocka_unit_test(test_lengths_are_judged_first),
		cmocka_unit_test(test_noise_is_refused),
		cmocka_unit_test(test_a_frame_cannot_be_played_again),
		cmocka_unit_test(test_keys_bind_direction_and_transcript),
		cmocka_unit_test(test_proofs_bind_the_borders_of_parts),
		cmocka_unit_test(test_a_token_is_its_owners),
		cmocka_unit_test(test_a_list_may_name_this_user),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
