/*
 * limits FILE COPY [none]: the least that a server can do. For a GET, sends FILE with read and send. The body of any other
 * request is appended to COPY with recv and write; the reply is sent when it is on disk (with "none": without waiting for the
 * disk). Prints its port.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

static char buffer[1 << 20];

static void fail(const char *what) {
  perror(what);
  exit(1);
}

static void write_all(int file, const char *bytes, size_t size) {
  for (ssize_t written; size > 0; bytes += written, size -= written)
    if ((written = write(file, bytes, size)) < 0) fail("write");
}

static void send_file(int client, const char *name) {
  char head[128];
  struct stat stats;
  int file = open(name, O_RDONLY);
  if (file < 0 || fstat(file, &stats) < 0) fail(name);
  write_all(client, head, sprintf(head, "HTTP/1.1 200 OK\r\nContent-Length: %lld\r\n\r\n", (long long)stats.st_size));
  for (ssize_t size; (size = read(file, buffer, 1 << 18)) > 0;) write_all(client, buffer, size);
  close(file);
}

/* `have` bytes of the body came with the head and lie in the buffer. */
static void receive_file(int client, int copy, size_t have, size_t length, int waits) {
  write_all(copy, buffer, have);
  for (ssize_t size; have < length; have += size) {
    if ((size = recv(client, buffer, 1 << 18, 0)) <= 0) fail("recv");
    write_all(copy, buffer, size);
  }
  if (waits && fdatasync(copy) < 0) fail("fdatasync");
  const char *answer = "HTTP/1.1 204 No Content\r\n\r\n";
  write_all(client, answer, strlen(answer));
}

static void serve(int client, const char *name, const char *copy_name, int waits) {
  static char head[16384];
  int copy = open(copy_name, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  if (copy < 0) fail(copy_name);
  for (;;) {
    size_t have = 0;
    char *end = NULL;
    while (end == NULL) {
      ssize_t size = recv(client, head + have, sizeof head - 1 - have, 0);
      if (size <= 0) break;
      head[have += size] = 0;
      end = strstr(head, "\r\n\r\n");
    }
    if (end == NULL) break;
    if (strncmp(head, "GET", 3) == 0) {
      send_file(client, name);
      continue;
    }
    const char *length = strcasestr(head, "\r\ncontent-length:");
    size_t early = head + have - (end + 4);
    memcpy(buffer, end + 4, early);
    receive_file(client, copy, early, length == NULL ? 0 : strtoull(length + 17, NULL, 10), waits);
  }
  close(copy);
  close(client);
  unlink(copy_name);
}

int main(int count, char **words) {
  if (count < 3) return 2;
  signal(SIGPIPE, SIG_IGN);
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}};
  socklen_t size = sizeof address;
  int server = socket(AF_INET, SOCK_STREAM, 0);
  if (bind(server, (struct sockaddr *)&address, size) < 0 || listen(server, 8) < 0) fail("listen");
  getsockname(server, (struct sockaddr *)&address, &size);
  printf("%d\n", ntohs(address.sin_port));
  fflush(stdout);
  for (int client; (client = accept(server, NULL, NULL)) >= 0;) {
    setsockopt(client, IPPROTO_TCP, TCP_NODELAY, &(int){1}, sizeof(int));
    serve(client, words[1], words[2], count < 4);
  }
  fail("accept");
}
