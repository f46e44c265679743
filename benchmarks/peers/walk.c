// The limit of a raw scan: walks the events of a log by their lengths, as every reader must, and sums the events of one
// record. It checks nothing. It maps the log for each repetition, as a scan does. Arguments: LOG RECORD-ID big|little
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>

static int swap;

static uint32_t u32(const char *at) {
  uint32_t value;
  memcpy(&value, at, 4);
  return swap ? __builtin_bswap32(value) : value;
}

int main(int count, char **words) {
  int file = count == 4 ? open(words[1], O_RDONLY) : -1;
  struct stat facts;
  if (file < 0 || fstat(file, &facts)) return 1;
  uint32_t wanted = atoi(words[2]);
  swap = !strcmp(words[3], "big");
  uint64_t sum = 0;
  printf("{\"samples\": {\"walk\": [");
  for (int run = -3; run < 7; run++) {
    struct timespec from, to;
    clock_gettime(CLOCK_MONOTONIC, &from);
    char *log = mmap(0, facts.st_size, PROT_READ, MAP_SHARED, file, 0);
    if (log == MAP_FAILED) return 1;
    for (char *at = log, *end = log + facts.st_size; at + 16 <= end; at += u32(at))
      if (u32(at + 4) == wanted)
        sum += u32(at + 8) * 1000000000ull + u32(at + 12) + (u32(at) >= 28 ? (uint64_t)u32(at + 20) << 32 | u32(at + 24) : 0);
    munmap(log, facts.st_size);
    clock_gettime(CLOCK_MONOTONIC, &to);
    if (run >= 0) printf("%s%.4f", run ? ", " : "", (to.tv_sec - from.tv_sec) * 1e3 + (to.tv_nsec - from.tv_nsec) / 1e6);
  }
  printf("]}, \"versions\": {\"walk.c\": \"" COMPILER "\"}, \"sum\": %llu}\n", (unsigned long long)sum);
}
