/*
 * client PORT CONNECTIONS LIMIT [PAUSE [FILE]]: sends the requests on standard input to 127.0.0.1, repeatedly and over
 * persistent connections, and prints the results as JSON. A request is a head that ends in an empty line. A request with a
 * Content-Length is followed by that many bytes of FILE; each request takes the next ones. LIMIT is a number of requests, or
 * of seconds if followed by "s"; PAUSE is the time between two requests of a connection, in milliseconds. SIGTERM ends it
 * early.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum place { HEAD, LENGTH, CHUNK_SIZE, CHUNK, CHUNK_END, TRAILER, TO_END };

struct connection {
  int socket;
  enum place place;
  size_t left, have;
  char head[16384];
  double begun;
};

static char *heads[65536];
static int head_count, next_head, file = -1;
static long started, limit, done, refused;
static double deadline, *latencies;
static long long received;
static int port, pause_ms, last_status;
static volatile sig_atomic_t stopped;

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec + time.tv_nsec / 1e9;
}

static void fail(const char *what) {
  perror(what);
  exit(1);
}

static void read_heads(void) {
  static char text[1 << 24];
  size_t size = fread(text, 1, sizeof text - 1, stdin);
  text[size] = 0;
  for (char *from = text, *end; (end = strstr(from, "\r\n\r\n")) != NULL && head_count < 65536; from = end + 4)
    heads[head_count++] = strndup(from, end + 4 - from);
  if (head_count == 0) exit(2);
}

static void connect_to_server(struct connection *client) {
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(port), .sin_addr = {htonl(INADDR_LOOPBACK)}};
  client->socket = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (connect(client->socket, (struct sockaddr *)&address, sizeof address) < 0) fail("connect");
  setsockopt(client->socket, IPPROTO_TCP, TCP_NODELAY, &(int){1}, sizeof(int));
}

static void send_all(int socket, const char *bytes, size_t size) {
  for (ssize_t sent; size > 0; bytes += sent, size -= sent)
    if ((sent = send(socket, bytes, size, MSG_NOSIGNAL)) < 0) fail("send");
}

static void send_body(int socket, const char *head) {
  const char *field = strcasestr(head, "\r\ncontent-length:");
  size_t size = field == NULL ? 0 : strtoull(field + 17, NULL, 10);
  for (ssize_t sent; size > 0; size -= sent)
    if ((sent = sendfile(socket, file, NULL, size)) <= 0) fail("sendfile");
}

static void stop(int signal) {
  stopped = signal;
}

static int may_continue(void) {
  if (stopped) return 0;
  return deadline > 0 ? now() < deadline : started < limit;
}

static void begin(struct connection *client) {
  const char *head = heads[next_head++ % head_count];
  started++;
  client->place = HEAD;
  client->have = 0;
  client->begun = now();
  send_all(client->socket, head, strlen(head));
  if (file >= 0) send_body(client->socket, head);
}

/* Finds out how the body ends. Returns 1 if there is none. */
static int read_head(struct connection *client) {
  last_status = atoi(client->head + 9);
  if (last_status >= 400) refused++;
  const char *length = strcasestr(client->head, "\r\ncontent-length:");
  if (last_status == 204 || last_status == 304) return 1;
  if (strcasestr(client->head, "\r\ntransfer-encoding: chunked") != NULL) client->place = CHUNK_SIZE;
  else client->place = length == NULL ? TO_END : LENGTH;
  client->left = length == NULL ? 0 : strtoull(length + 17, NULL, 10);
  client->have = 0;
  return client->place == LENGTH && client->left == 0;
}

/* Collects bytes up to `end`. Returns how many it used; sets `is_whole` if the end is among them. */
static size_t collect(struct connection *client, const char *bytes, size_t size, const char *end, int *is_whole) {
  size_t length = strlen(end), used = 0;
  for (*is_whole = 0; used < size && !*is_whole;) {
    if (client->have + 1 >= sizeof client->head) exit(3);
    client->head[client->have++] = bytes[used++];
    *is_whole = client->have >= length && memcmp(client->head + client->have - length, end, length) == 0;
  }
  client->head[client->have] = 0;
  return used;
}

/* Reads the next bytes of a reply. Returns 1 when it is complete. */
static int read_reply(struct connection *client, const char *bytes, size_t size) {
  int is_whole;
  while (size > 0) {
    size_t used = 0;
    switch (client->place) {
      case HEAD:
        used = collect(client, bytes, size, "\r\n\r\n", &is_whole);
        if (is_whole && read_head(client)) return 1;
        break;
      case CHUNK_SIZE:
      case CHUNK_END:
      case TRAILER:
        used = collect(client, bytes, size, "\r\n", &is_whole);
        if (!is_whole) break;
        if (client->place == TRAILER && client->have == 2) return 1;
        client->left = strtoull(client->head, NULL, 16);
        if (client->place == CHUNK_SIZE) client->place = client->left == 0 ? TRAILER : CHUNK;
        else if (client->place == CHUNK_END) client->place = CHUNK_SIZE;
        client->have = 0;
        break;
      default:
        used = client->place != TO_END && client->left < size ? client->left : size;
        received += used;
        client->left -= used;
        if (client->place == LENGTH && client->left == 0) return 1;
        if (client->place == CHUNK && client->left == 0) client->place = CHUNK_END, client->have = 0;
    }
    bytes += used;
    size -= used;
  }
  return 0;
}

static void end(struct connection *client) {
  if ((done & (done - 1)) == 0) latencies = realloc(latencies, (done == 0 ? 1 : 2 * done) * sizeof *latencies);
  latencies[done++] = now() - client->begun;
  if (pause_ms > 0) usleep(pause_ms * 1000);
}

static int in_order(const void *one, const void *other) {
  double difference = *(const double *)one - *(const double *)other;
  return (difference > 0) - (difference < 0);
}

int main(int count, char **words) {
  static char buffer[1 << 20];
  if (count < 4) return 2;
  signal(SIGTERM, stop);
  port = atoi(words[1]);
  int connections = atoi(words[2]);
  pause_ms = count > 4 ? atoi(words[4]) : 0;
  if (count > 5 && (file = open(words[5], O_RDONLY | O_CLOEXEC)) < 0) fail(words[5]);
  read_heads();
  struct connection *clients = calloc(connections, sizeof *clients);
  struct pollfd *sockets = calloc(connections, sizeof *sockets);
  for (int i = 0; i < connections; i++) connect_to_server(&clients[i]);
  double start = now();
  if (strchr(words[3], 's') != NULL) deadline = start + atof(words[3]);
  limit = atol(words[3]);
  int open = 0;
  for (int i = 0; i < connections; i++) {
    sockets[i] = (struct pollfd){.fd = -1, .events = POLLIN};
    if (!may_continue()) continue;
    sockets[i].fd = clients[i].socket;
    begin(&clients[i]);
    open++;
  }
  while (open > 0) {
    if (poll(sockets, connections, -1) < 0 && errno != EINTR) fail("poll");
    for (int i = 0; i < connections; i++) {
      if (sockets[i].fd < 0 || sockets[i].revents == 0) continue;
      ssize_t size = recv(sockets[i].fd, buffer, sizeof buffer, MSG_DONTWAIT);
      if (size < 0 && errno == EAGAIN) continue;
      if (size < 0) fail("recv");
      if (size > 0 && !read_reply(&clients[i], buffer, size)) continue;
      if (size == 0 && clients[i].place != TO_END) {
        fprintf(stderr, "the server closed a connection\n");
        return 1;
      }
      end(&clients[i]);
      if (size == 0) close(clients[i].socket), connect_to_server(&clients[i]), sockets[i].fd = clients[i].socket;
      if (may_continue()) begin(&clients[i]);
      else sockets[i].fd = -1, open--;
    }
  }
  double seconds = now() - start;
  qsort(latencies, done, sizeof *latencies, in_order);
  printf("{\"seconds\":%.6f,\"requests\":%ld,\"bytes\":%lld,\"refused\":%ld,\"status\":%d,\"p50\":%.6f,\"p99\":%.6f,\"most\":%.6f}\n",
         seconds, done, received, refused, last_status, latencies[done / 2], latencies[done * 99 / 100], latencies[done - 1]);
  return 0;
}
