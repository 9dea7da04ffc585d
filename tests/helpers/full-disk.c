/*
 * Preloaded into a daemon: as long as the file that FULL_DISK names exists, no regular file takes a byte more and nothing is
 * free. For machines on which no disk may be mounted.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

static int is_full(void) {
  const char *name = getenv("FULL_DISK");
  return name != NULL && access(name, F_OK) == 0;
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

int statfs(const char *path, struct statfs *found) {
  int (*real)(const char *, struct statfs *) = dlsym(RTLD_NEXT, "statfs");
  int result = real(path, found);
  if (result == 0 && is_full()) found->f_bavail = found->f_bfree = 0;
  return result;
}
