# The median of v[1..n], the lower of two. Sorts v.
function middle(v, n,    i, j, t) {
	for (i = 2; i <= n; i++)
		for (j = i; j > 1 && v[j] < v[j - 1]; j--) {
			t = v[j]; v[j] = v[j - 1]; v[j - 1] = t
		}
	return v[int((n + 1) / 2)]
}
