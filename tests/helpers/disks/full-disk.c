/*
 * Preloaded into a daemon. While the file named by FULL_DISK exists, it states the size of a disk and its free bytes. If
 * fewer than NEARLY_NONE are free, writes to regular files fail. For machines on which no disk can be mounted.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

#define NEARLY_NONE (5 * 1024 * 1024)

static int read_limits(unsigned long *size, unsigned long *free_bytes) {
  const char *name = getenv("FULL_DISK");
  FILE *file = name == NULL ? NULL : fopen(name, "r");
  if (file == NULL) return 0;
  int found = fscanf(file, "%lu %lu", size, free_bytes);
  fclose(file);
  return found == 2;
}

static int is_full(void) {
  unsigned long size, free_bytes;
  return read_limits(&size, &free_bytes) && free_bytes < NEARLY_NONE;
}

static int refuses(int fd) {
  struct stat stats;
  return is_full() && fstat(fd, &stats) == 0 && S_ISREG(stats.st_mode);
}

#define REFUSE(type, name, parameters, arguments)                                                                      \
  type name parameters {                                                                                               \
    if (refuses(fd)) {                                                                                                 \
      errno = ENOSPC;                                                                                                  \
      return -1;                                                                                                       \
    }                                                                                                                  \
    type(*real) parameters = (type(*) parameters)dlsym(RTLD_NEXT, #name);                                              \
    return real arguments;                                                                                             \
  }

REFUSE(ssize_t, write, (int fd, const void *bytes, size_t length), (fd, bytes, length))
REFUSE(ssize_t, writev, (int fd, const struct iovec *parts, int count), (fd, parts, count))
REFUSE(ssize_t, pwrite, (int fd, const void *bytes, size_t length, off_t start), (fd, bytes, length, start))
REFUSE(ssize_t, pwrite64, (int fd, const void *bytes, size_t length, off64_t start), (fd, bytes, length, start))
REFUSE(ssize_t, pwritev, (int fd, const struct iovec *parts, int count, off_t start), (fd, parts, count, start))
REFUSE(ssize_t, pwritev64, (int fd, const struct iovec *parts, int count, off64_t start), (fd, parts, count, start))
REFUSE(ssize_t, sendfile, (int fd, int from, off_t *start, size_t length), (fd, from, start, length))
REFUSE(ssize_t, sendfile64, (int fd, int from, off64_t *start, size_t length), (fd, from, start, length))

ssize_t copy_file_range(int from, off64_t *start, int fd, off64_t *place, size_t length, unsigned flags) {
  if (refuses(fd)) {
    errno = ENOSPC;
    return -1;
  }
  ssize_t (*real)(int, off64_t *, int, off64_t *, size_t, unsigned) = dlsym(RTLD_NEXT, "copy_file_range");
  return real(from, start, fd, place, length, flags);
}

int statfs64(const char *path, struct statfs64 *found) {
  int (*real)(const char *, struct statfs64 *) = dlsym(RTLD_NEXT, "statfs64");
  int result = real(path, found);
  unsigned long size, free_bytes;
  if (result == 0 && read_limits(&size, &free_bytes)) {
    found->f_blocks = size / found->f_bsize;
    found->f_bavail = found->f_bfree = free_bytes / found->f_bsize;
  }
  return result;
}
