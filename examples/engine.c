/* An audio engine, as a client of the console, without any library (docs/engine.md).
   cc -O2 -o engine examples/engine.c && ./engine 127.0.0.1 8080 TOKEN */
#include <arpa/inet.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static int fd;
static char text[1 << 20]; /* no message to us is longer: one that is unread is closed before */

static void fail(const char *why) { fprintf(stderr, "%s\n", why); exit(1); }

static void take(void *to, size_t size) {
  for (ssize_t got; size > 0; to = (char *)to + got, size -= got)
    if ((got = read(fd, to, size)) <= 0) fail("the console is gone");
}

static void send_frame(int opcode, const char *from, size_t size) { /* of at most 65535 bytes */
  unsigned char head[8] = {0x80 | opcode, 0x80 | (size < 126 ? size : 126), size >> 8, size};
  size_t length = (size < 126 ? 2 : 4) + 4; /* the mask is 0 0 0 0, which changes nothing */
  if (size < 126) head[2] = head[3] = 0;
  if (write(fd, head, length) < 0 || write(fd, from, size) < 0) fail("the console is gone");
}

static void say(const char *json) { send_frame(1, json, strlen(json)); }

static void hear(void) { /* one message, which is never in fragments */
  unsigned char head[2], more[8];
  take(head, 2);
  size_t size = head[1], bytes = size == 126 ? 2 : size == 127 ? 8 : 0;
  take(more, bytes);
  if (bytes > 0) size = 0;
  for (size_t at = 0; at < bytes; at++) size = size << 8 | more[at];
  if (size >= sizeof text) fail("a message is too long");
  take(text, size);
  text[size] = 0;
  if ((head[0] & 15) == 8) fail("the console has closed the connection");
  if ((head[0] & 15) == 9) send_frame(10, text, size); /* a ping: still here */
  if ((head[0] & 15) == 1) puts(text), fflush(stdout); /* act on it: {"method":"update",…} */
}

static long long now_ms(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1000LL + time.tv_nsec / 1000000;
}

int main(int count, char **arg) {
  if (count != 4) fail("usage: engine ADDRESS PORT TOKEN");
  struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons(atoi(arg[2]))};
  if (inet_pton(AF_INET, arg[1], &to.sin_addr) != 1) fail("ADDRESS: expected one like 127.0.0.1");
  fd = socket(AF_INET, SOCK_STREAM, 0);
  if (connect(fd, (struct sockaddr *)&to, sizeof to) < 0) fail("no console there");
  dprintf(fd, "GET /api/ws HTTP/1.1\r\nHost: %s:%s\r\nAuthorization: Bearer %s\r\n"
              "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
              "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n", arg[1], arg[2], arg[3]);
  for (size_t at = 0; at < 4 || memcmp(text + at - 4, "\r\n\r\n", 4) != 0; take(text + at++, 1))
    if (at == 4096) fail("the console answers no HTTP");
  if (memcmp(text, "HTTP/1.1 101", 12) != 0) fail("the console opens no WebSocket: a wrong token?");
  say("{\"method\":\"engine\",\"paths\":[\"/audio/mixers/0\"]}");
  say("{\"method\":\"subscribe\",\"path\":\"/audio/mixers/0\"}");
  say("{\"method\":\"get\",\"path\":\"/audio/mixers/0/faders/0/fader\"}"); /* and what else sounds */
  say("{\"method\":\"report\",\"payload\":{\"audio\":{\"mixers\":{\"0\":{\"faders\":{\"0\":{"
      "\"_readystate\":true}}}}}}}");
  struct pollfd ready = {.fd = fd, .events = POLLIN};
  for (long long due = now_ms(), number = 0;;) {
    long long left = due - now_ms();
    if (poll(&ready, 1, left > 0 ? left : 0) > 0) hear();
    if (now_ms() < due) continue;
    char report[256];
    double level = -20 - number++ % 100 / 10.0; /* measure it */
    snprintf(report, sizeof report, "{\"method\":\"report\",\"payload\":{\"audio\":{\"mixers\":{"
             "\"0\":{\"faders\":{\"0\":{\"meter\":{\"_input\":[%.1f,%.1f]}}}}}}}}", level, level);
    say(report);
    due += 40;
  }
}
