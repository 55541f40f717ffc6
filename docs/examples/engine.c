/* An audio engine, as a client of the console, without any library (docs/engine.md).
   cc -O2 -pthread -o engine docs/examples/engine.c && ./engine 127.0.0.1 8080 TOKEN */
#include <arpa/inet.h>
#include <err.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#define FADER(members) "{\"audio\":{\"mixers\":{\"0\":{\"faders\":{\"0\":{" members "}}}}}}"
static FILE *console;
static char text[1 << 22]; /* larger than the answer to any get of this engine; else it ends */

static void say(int opcode, const char *message) { /* of at most 1000 bytes */
  size_t size = strlen(message), head = size < 126 ? 6 : 8;
  char frame[1024] = {0x80 | opcode, 0x80 | (size < 126 ? size : 126)};
  if (size >= 126) frame[2] = size >> 8, frame[3] = size;
  memcpy(frame + head, message, size); /* the mask before it is 0 0 0 0, which changes nothing */
  if (write(fileno(console), frame, head + size) < 0) err(1, "the console is gone");
}

static void *hear(void *none) { /* messages, which are never in fragments */
  for (;;) {
    int kind = getc(console), size = getc(console), bytes = size == 126 ? 2 : size == 127 ? 8 : 0;
    if (bytes > 0) size = 0;
    for (; bytes > 0 && size >= 0 && size < 1 << 22; bytes--) size = size << 8 | getc(console);
    if (size < 0 || size >= (int)sizeof text) errx(1, "the console is gone");
    if (fread(text, 1, size, console) < (size_t)size) errx(1, "the console is gone");
    text[size] = 0;
    if (kind == 0x89) say(10, text); /* a ping: still here */
    if (kind == 0x81 && strstr(text, "\"success\":false")) errx(1, "refused: %s", text);
    if (kind == 0x81) puts(text), fflush(stdout); /* act on it: {"method":"update",…} */
  }
  return none;
}

int main(int count, char **arg) {
  if (count != 4) errx(1, "usage: engine ADDRESS PORT TOKEN");
  struct sockaddr_in to = {AF_INET, htons(atoi(arg[2])), {inet_addr(arg[1])}, {0}};
  int fd = socket(AF_INET, SOCK_STREAM, 0);
  if (connect(fd, (struct sockaddr *)&to, sizeof to) < 0) err(1, "no console there");
  dprintf(fd, "GET /api/ws HTTP/1.1\r\nHost: %s:%s\r\nAuthorization: Bearer %s\r\n"
              "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
              "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n", arg[1], arg[2], arg[3]);
  console = fdopen(fd, "r");
  if (!fgets(text, 4096, console) || !strstr(text, " 101 ")) errx(1, "refused: a wrong token?");
  while (text[0] != '\r') if (!fgets(text, 4096, console)) errx(1, "the console is gone");
  say(1, "{\"method\":\"engine\",\"paths\":[\"/audio/mixers/0\"]}");
  say(1, "{\"method\":\"subscribe\",\"path\":\"/audio/mixers/0\"}");
  say(1, "{\"method\":\"get\",\"path\":\"/audio/mixers/0/faders/0/fader\"}"); /* and all it plays */
  say(1, "{\"method\":\"report\",\"payload\":" FADER("\"_readystate\":true") "}");
  pthread_create(&(pthread_t){0}, NULL, hear, NULL);
  for (int number = 0;; number++, usleep(40000)) {
    char report[256];
    double level = -20 - number % 100 / 10.0; /* measure it */
    snprintf(report, sizeof report, "{\"method\":\"report\",\"payload\":"
             FADER("\"meter\":{\"_input\":[%.1f,%.1f]}") "}", level, level);
    say(1, report);
  }
}
