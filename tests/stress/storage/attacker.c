/* Exchanges two names as fast as it can until it is killed. The random pause keeps it from falling into step with its victim. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef RENAME_EXCHANGE
#define RENAME_EXCHANGE 2
#endif

int main(int count, char **arguments) {
  if (count != 3) return 2;
  uint64_t random = 88172645463325252u;
  for (;;) {
    syscall(SYS_renameat2, AT_FDCWD, arguments[1], AT_FDCWD, arguments[2], RENAME_EXCHANGE);
    random ^= random << 13;
    random ^= random >> 7;
    random ^= random << 17;
    for (volatile uint64_t pause = random % 4096; pause > 0; pause--) {
    }
  }
}
