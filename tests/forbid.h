/* Removes one system call from this process, as an old kernel or a sandbox
 * does. */
#ifndef BENCHTOP_FORBID_H
#define BENCHTOP_FORBID_H

/* From now on the call `number` fails with the errno `with`. Returns 0, or
 * nonzero where the kernel has no seccomp. */
int forbid(unsigned number, int with);

#endif
