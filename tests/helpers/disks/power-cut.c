/* Stops the file system of a folder as a power cut does: what was not synced by now never gets to the disk. */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/ioctl.h>

#define SHUTDOWN _IOR('X', 125, uint32_t)
#define WITHOUT_FLUSHING_THE_LOG 2

int main(int count, char **arguments) {
  uint32_t flags = WITHOUT_FLUSHING_THE_LOG;
  int folder = count == 2 ? open(arguments[1], O_RDONLY) : -1;
  if (folder >= 0 && ioctl(folder, SHUTDOWN, &flags) == 0) return 0;
  perror("power-cut");
  return 1;
}
