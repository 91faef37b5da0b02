/* Several processes that do the work of a test together. */
#ifndef BENCHTOP_FAULT_PROCESSES_H
#define BENCHTOP_FAULT_PROCESSES_H

/* Forks `count` processes and waits for their ends. Each has its own folder
 * (command_enter()), its own random numbers, and adopts the orphans of the
 * programs that it starts. A failed assertion in one fails the test. */
void in_processes(unsigned count, void (*body)(void));
/* Memory of all of them, with zeros. */
void *shared_memory(unsigned long bytes);

#endif
