/*
 * loop KIND FOLDER COUNT: the least that one small operation can cost, COUNT times in a new folder, each on disk before the next.
 * Prints the milliseconds of processor time and by the clock of one operation.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static char bytes[1024];
static int folder;

static void fail(const char *what) {
  perror(what);
  exit(1);
}

static double now(clockid_t clock) {
  struct timespec time;
  clock_gettime(clock, &time);
  return time.tv_sec * 1e3 + time.tv_nsec / 1e6;
}

static void write_file(const char *name) {
  int file = openat(folder, ".temporary", O_WRONLY | O_CREAT | O_EXCL, 0640);
  if (file < 0 || write(file, bytes, sizeof bytes) < 0 || fsync(file) < 0) fail(name);
  close(file);
  if (renameat(folder, ".temporary", folder, name) < 0) fail(name);
}

static void list(void) {
  int copy = openat(folder, ".", O_RDONLY | O_DIRECTORY);
  DIR *entries = fdopendir(copy);
  struct stat stats;
  for (struct dirent *entry; (entry = readdir(entries)) != NULL;)
    if (fstatat(folder, entry->d_name, &stats, AT_SYMLINK_NOFOLLOW) < 0) fail(entry->d_name);
  closedir(entries);
}

static void once(const char *kind, int index) {
  char name[32], other[32];
  sprintf(name, "%d.txt", index);
  sprintf(other, "%d.moved", index);
  if (strcmp(kind, "write") == 0) write_file(name);
  if (strcmp(kind, "folder") == 0 && mkdirat(folder, name, 0750) < 0) fail(name);
  if (strcmp(kind, "rename") == 0 && renameat(folder, name, folder, other) < 0) fail(name);
  if (strcmp(kind, "delete") == 0 && unlinkat(folder, name, 0) < 0) fail(name);
  if (strcmp(kind, "list") == 0) list();
  else if (fsync(folder) < 0) fail("folder");
}

int main(int count, char **words) {
  if (count < 4) return 2;
  const char *kind = words[1];
  int times = atoi(words[3]);
  if ((folder = open(words[2], O_RDONLY | O_DIRECTORY)) < 0) fail(words[2]);
  int needed = strcmp(kind, "rename") == 0 || strcmp(kind, "delete") == 0 ? times : strcmp(kind, "list") == 0 ? 100 : 0;
  char name[32];
  for (int index = 0; index < needed; index += 1) {
    sprintf(name, "%d.txt", index);
    close(openat(folder, name, O_WRONLY | O_CREAT, 0640));
  }
  if (needed > 0) fsync(folder);
  double processor = now(CLOCK_PROCESS_CPUTIME_ID), clock = now(CLOCK_MONOTONIC);
  for (int index = 0; index < times; index += 1) once(kind, index);
  printf("%f %f\n", (now(CLOCK_PROCESS_CPUTIME_ID) - processor) / times, (now(CLOCK_MONOTONIC) - clock) / times);
}
