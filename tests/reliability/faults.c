/*
 * Preloaded into a daemon. While the file named by FILEMGR_FAULTS exists, its only line "CALL ACTION SKIP FOLDER" decides
 * what happens to calls of that kind on files below that folder, after the first SKIP of them. ACTION is an errno, "kill"
 * (the process dies before the call), "kill-after" (it dies after it) or "stall" (the call waits until the file is gone).
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

struct fault {
  char call[16], action[16], folder[PATH_MAX];
  unsigned skip;
  ino_t file;
};

static int read_fault(struct fault *fault) {
  const char *name = getenv("FILEMGR_FAULTS");
  FILE *file = name == NULL ? NULL : fopen(name, "re");
  if (file == NULL) return 0;
  int found = fscanf(file, "%15s %15s %u %4095s", fault->call, fault->action, &fault->skip, fault->folder);
  struct stat stats;
  fault->file = fstat(fileno(file), &stats) == 0 ? stats.st_ino : 0;
  fclose(file);
  return found == 4;
}

static int is_beneath(const char *path, const char *folder) {
  size_t length = strlen(folder);
  return strncmp(path, folder, length) == 0 && (path[length] == '/' || path[length] == '\0');
}

static int descriptor_is_beneath(int fd, const char *folder) {
  char link[64], path[PATH_MAX];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, path, sizeof path - 1);
  if (length < 0) return 0;
  path[length] = '\0';
  return is_beneath(path, folder);
}

/* The folder of a path is resolved: it may be given as /proc/self/fd/N. */
static int path_is_beneath(int at, const char *path, const char *folder) {
  char parent[PATH_MAX], resolved[PATH_MAX];
  if (path == NULL || strlen(path) >= sizeof parent) return 0;
  strcpy(parent, path);
  char *slash = strrchr(parent, '/');
  if (slash == NULL) return at == AT_FDCWD ? 0 : descriptor_is_beneath(at, folder);
  *(slash == parent ? slash + 1 : slash) = '\0';
  return realpath(parent, resolved) != NULL && is_beneath(resolved, folder);
}

/* Each new file counts from the start. */
static int is_skipped(const struct fault *fault) {
  static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  static ino_t counted_for;
  static unsigned count;
  pthread_mutex_lock(&lock);
  if (counted_for != fault->file) count = 0;
  counted_for = fault->file;
  int skipped = count++ < fault->skip;
  pthread_mutex_unlock(&lock);
  return skipped;
}

/* Returns whether the call fails; errno is then set. *after tells that the process dies once the call is done. */
static int strikes(const char *call, int fd, const char *path, int *after) {
  struct fault fault;
  *after = 0;
  if (!read_fault(&fault) || strcmp(fault.call, call) != 0) return 0;
  if (!(path == NULL ? descriptor_is_beneath(fd, fault.folder) : path_is_beneath(fd, path, fault.folder))) return 0;
  if (is_skipped(&fault)) return 0;
  if (strcmp(fault.action, "kill") == 0) kill(getpid(), SIGKILL);
  if (strcmp(fault.action, "kill-after") == 0) {
    *after = 1;
    return 0;
  }
  if (strcmp(fault.action, "stall") == 0) {
    while (read_fault(&fault)) usleep(20000);
    return 0;
  }
  errno = atoi(fault.action);
  return 1;
}

#define WRAP(call, type, name, parameters, arguments, fd, path)                                                        \
  type name parameters {                                                                                               \
    int after;                                                                                                         \
    if (strikes(call, fd, path, &after)) return -1;                                                                    \
    type(*real) parameters = (type(*) parameters)dlsym(RTLD_NEXT, #name);                                              \
    type result = real arguments;                                                                                      \
    if (after) kill(getpid(), SIGKILL);                                                                                \
    return result;                                                                                                     \
  }

WRAP("write", ssize_t, write, (int fd, const void *bytes, size_t length), (fd, bytes, length), fd, NULL)
WRAP("write", ssize_t, writev, (int fd, const struct iovec *parts, int count), (fd, parts, count), fd, NULL)
WRAP("write", ssize_t, pwrite64, (int fd, const void *bytes, size_t length, off64_t at), (fd, bytes, length, at), fd, NULL)
WRAP("write", ssize_t, pwritev64, (int fd, const struct iovec *parts, int count, off64_t at), (fd, parts, count, at), fd, NULL)
WRAP("write", ssize_t, copy_file_range, (int from, off64_t *start, int fd, off64_t *at, size_t length, unsigned flags),
     (from, start, fd, at, length, flags), fd, NULL)
WRAP("write", ssize_t, sendfile64, (int fd, int from, off64_t *start, size_t length), (fd, from, start, length), fd, NULL)
WRAP("read", ssize_t, read, (int fd, void *bytes, size_t length), (fd, bytes, length), fd, NULL)
WRAP("read", ssize_t, pread64, (int fd, void *bytes, size_t length, off64_t at), (fd, bytes, length, at), fd, NULL)
WRAP("read", ssize_t, preadv64, (int fd, const struct iovec *parts, int count, off64_t at), (fd, parts, count, at), fd, NULL)
WRAP("sync", int, fsync, (int fd), (fd), fd, NULL)
WRAP("sync", int, fdatasync, (int fd), (fd), fd, NULL)
WRAP("truncate", int, ftruncate64, (int fd, off64_t length), (fd, length), fd, NULL)
WRAP("rename", int, rename, (const char *from, const char *to), (from, to), AT_FDCWD, to)
WRAP("rename", int, link, (const char *from, const char *to), (from, to), AT_FDCWD, to)
WRAP("remove", int, unlink, (const char *path), (path), AT_FDCWD, path)
WRAP("remove", int, rmdir, (const char *path), (path), AT_FDCWD, path)
WRAP("mkdir", int, mkdir, (const char *path, mode_t mode), (path, mode), AT_FDCWD, path)
WRAP("list", int, scandir64,
     (const char *path, struct dirent64 ***names, int (*filter)(const struct dirent64 *),
      int (*compare)(const struct dirent64 **, const struct dirent64 **)),
     (path, names, filter, compare), AT_FDCWD, path)

static int opens(const char *name, const char *path, int flags, mode_t mode) {
  int after;
  if ((flags & O_ACCMODE) != O_RDONLY && strikes("open", AT_FDCWD, path, &after)) return -1;
  int (*real)(const char *, int, ...) = (int (*)(const char *, int, ...))dlsym(RTLD_NEXT, name);
  return real(path, flags, mode);
}

int open64(const char *path, int flags, ...) {
  va_list more;
  va_start(more, flags);
  mode_t mode = (flags & (O_CREAT | __O_TMPFILE)) != 0 ? va_arg(more, mode_t) : 0;
  va_end(more);
  return opens("open64", path, flags, mode);
}

int open(const char *path, int flags, ...) {
  va_list more;
  va_start(more, flags);
  mode_t mode = (flags & (O_CREAT | __O_TMPFILE)) != 0 ? va_arg(more, mode_t) : 0;
  va_end(more);
  return opens("open", path, flags, mode);
}

struct dirent64 *readdir64(DIR *folder) {
  int after;
  if (strikes("list", dirfd(folder), NULL, &after)) return NULL;
  struct dirent64 *(*real)(DIR *) = (struct dirent64 * (*)(DIR *)) dlsym(RTLD_NEXT, "readdir64");
  return real(folder);
}
