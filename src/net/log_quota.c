/* The quota of the log. */
#include "log_quota.h"

#include <stdio.h>
#include <string.h>

static const size_t each[LOG_KINDS] = { LOG_GREETING_EACH, LOG_SESSION_EACH };
static const size_t all[LOG_KINDS] = { LOG_GREETING_ALL, LOG_SESSION_ALL };

static struct log_share *share_of(struct log_quota *quota,
	const struct origin *origin)
{
	for (size_t i = 0; i < quota->shares; i++)
		if (origin_same(&quota->share[i].origin, origin))
			return &quota->share[i];
	if (quota->shares == LOG_ORIGINS)
		return &quota->share[LOG_ORIGINS - 1];
	struct log_share *share = &quota->share[quota->shares++];
	share->origin = *origin;
	return share;
}

bool log_quota_has(struct log_quota *quota, const struct origin *origin,
	enum log_kind kind, size_t length)
{
	struct log_share *share = share_of(quota, origin);

	if (share->written[kind] + length > each[kind] ||
		quota->written[kind] + length > all[kind]) {
		share->left_out++;
		quota->left_out++;
		return false;
	}
	share->written[kind] += length;
	quota->written[kind] += length;
	return true;
}

bool log_quota_next(struct log_quota *quota, struct text *text)
{
	const struct log_share *most = &quota->share[0];
	uint64_t left_out = quota->left_out;
	char name[64];

	for (size_t i = 1; i < quota->shares; i++)
		if (quota->share[i].left_out > most->left_out)
			most = &quota->share[i];
	if (left_out) {
		text_add(text, "left out %llu lines in a minute, ",
			(unsigned long long)left_out);
		if (most == &quota->share[LOG_ORIGINS - 1])
			snprintf(name, sizeof name, "other addresses");
		else
			origin_text(&most->origin, name, sizeof name);
		text_add(text, "%llu of them about %s",
			(unsigned long long)most->left_out, name);
	}
	memset(quota, 0, sizeof *quota);
	return left_out != 0;
}
