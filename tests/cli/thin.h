/*
 * Thin environments: each is entered by a child before it executes the program.
 */
#ifndef BENCHTOP_CLI_THIN_H
#define BENCHTOP_CLI_THIN_H

#include "run.h"

enum { THIN_BYTES = 64 << 20 };

/* 64 MB of memory: a cgroup, or the address space where no cgroup can be
 * made. */
int thin_memory(void);
/* The last processor that is permitted, and no other. */
int thin_processor(void);
/* Mount namespaces in which the folder is empty. Needs root. */
int thin_proc(void);
int thin_sys(void);
/* The calls that the default filter of Docker denies to a process without
 * capabilities (docs.docker.com/engine/security/seccomp): EPERM, and ENOSYS for
 * clone3. */
int thin_filter(void);

/* Runs one line of the program there. Returns -1 as its status if the
 * environment is not permitted. */
struct ran run_thin(int (*enter)(void), const char *line);

#endif
