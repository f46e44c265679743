/* Reads a log that grows, and prints how long after their time stamps its events were in the file, and how many values that count up by
 * one are missing. Arguments: the system's directory, the group's name, seconds to leave out, seconds to measure. */
#include <dirent.h>
#include <fcntl.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <sys/stat.h>

#define SLOT_US 50
#define SLOTS 400000
#define RECORDS 1000000
static const int64_t SECOND = 1000000000, EPOCH_1990 = 631152000;

static long slots[SLOTS + 1], events, lost;
static double last[RECORDS];
static int swapped;

static int64_t now(void) {
  struct timespec t;
  clock_gettime(CLOCK_REALTIME, &t);
  return t.tv_sec * SECOND + t.tv_nsec;
}

static uint32_t number(const unsigned char *at) {
  uint32_t n;
  memcpy(&n, at, 4);
  return swapped ? __builtin_bswap32(n) : n;
}

static double value(const unsigned char *at) {
  uint64_t n;
  double d;
  memcpy(&n, at, 8);
  if (swapped) n = __builtin_bswap64(n);
  memcpy(&d, &n, 8);
  return d;
}

static void take(const unsigned char *event, uint32_t length, int64_t seen, int settled) {
  uint32_t id = number(event + 4);
  if (id >= RECORDS || length != 28 || event[16] != 2) return;
  int64_t delay = seen - (number(event + 8) + EPOCH_1990) * SECOND - number(event + 12);
  double v = value(event + 20);
  if (settled) {
    events++;
    long slot = delay / (SLOT_US * 1000);
    slots[slot < 0 ? 0 : slot > SLOTS ? SLOTS : slot]++;
    if (!isnan(last[id]) && v > last[id] + 1) lost += (long) (v - last[id] - 1);
  }
  last[id] = v;
}

static double quantile(double share) {
  long left = (long) (events * (1 - share));
  for (int i = SLOTS; i >= 0; i--) {
    left -= slots[i];
    if (left < 0) return (i + 1) * SLOT_US / 1000.0;
  }
  return 0;
}

/* Finds the newest log of the group. */
static void newest(const char *directory, const char *group, char *path, size_t size) {
  path[0] = 0;
  char best[256] = "";
  DIR *all = opendir(directory);
  for (struct dirent *e; all && (e = readdir(all));) {
    size_t length = strlen(e->d_name), prefix = strlen(group);
    if (!strncmp(e->d_name, group, prefix) && e->d_name[prefix] == '_' && length > 5 && !strcmp(e->d_name + length - 5, ".log2")
        && length < sizeof best && strcmp(e->d_name, best) > 0) {
      strcpy(best, e->d_name);
      snprintf(path, size, "%s/%s", directory, best);
    }
  }
  if (all) closedir(all);
}

int main(int count, char **arguments) {
  if (count != 5) return 2;
  char path[1024], opened[1024] = "";
  unsigned char *bytes = malloc(1 << 26);
  int64_t begun = now(), settled = begun + atof(arguments[3]) * SECOND, end = settled + atof(arguments[4]) * SECOND, looked = 0;
  int file = -1;
  off_t at = 0;
  for (int i = 0; i < RECORDS; i++) last[i] = NAN;
  for (int64_t t; (t = now()) < end;) {
    if (t - looked > SECOND / 10) {
      looked = t;
      newest(arguments[1], arguments[2], path, sizeof path);
      if (strcmp(path, opened)) {
        if (file >= 0) close(file);
        file = open(path, O_RDONLY);
        at = 0;
        strcpy(opened, path);
        char index[1024];
        strcpy(index, path);
        index[strlen(index) - 1] = '1';
        unsigned char magic[4] = {0};
        int f = open(index, O_RDONLY);
        if (f < 0 || read(f, magic, 4) != 4) opened[0] = 0;
        if (f >= 0) close(f);
        swapped = 0;
        swapped = number(magic) != 0x4B424C31;
      }
    }
    struct stat s;
    if (file >= 0 && !fstat(file, &s) && s.st_size > at) {
      int64_t seen = now();
      ssize_t n = pread(file, bytes, s.st_size - at < 1 << 26 ? s.st_size - at : 1 << 26, at);
      ssize_t i = 0;
      while (n - i >= 28 && number(bytes + i) >= 20 && number(bytes + i) <= n - i) {
        take(bytes + i, number(bytes + i), seen, seen > settled);
        i += number(bytes + i);
      }
      at += i;
    }
    struct timespec pause = {0, 300000};
    nanosleep(&pause, NULL);
  }
  printf("values=%ld lost=%ld p50=%.1fms p99=%.1fms p999=%.1fms most=%.1fms", events, lost, quantile(0.5), quantile(0.99), quantile(0.999),
         quantile(1));
  return 0;
}
