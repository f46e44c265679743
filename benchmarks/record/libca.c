/* Counts values of records that count up, with libca. Arguments: channels, seconds, first part of the names. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <sys/resource.h>
#include <cadef.h>
#include <epicsTime.h>

static double *last;
static char *is_first;
static int channels, connected, seen;
static long values, lost, lost_after_first, backward;
static double connected_seconds, seen_seconds, begun;

/* Delays in slots of 50 us. */
static long slots[400001], delays;

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec + t.tv_nsec * 1e-9;
}

static void take(struct event_handler_args event) {
  long channel = (long) event.usr;
  if (event.status != ECA_NORMAL) return;
  double value = ((const struct dbr_time_double *) event.dbr)->value, before = last[channel];
  last[channel] = value;
  struct timespec t;
  epicsTimeToTimespec(&t, &((const struct dbr_time_double *) event.dbr)->stamp);
  struct timespec n;
  clock_gettime(CLOCK_REALTIME, &n);
  long slot = ((n.tv_sec - t.tv_sec) * 1000000 + (n.tv_nsec - t.tv_nsec) / 1000) / 50;
  slots[slot < 0 ? 0 : slot > 400000 ? 400000 : slot]++;
  delays++;
  int was_first = is_first[channel];
  is_first[channel] = isnan(before);
  values++;
  if (isnan(before)) {
    if (++seen == channels) seen_seconds = now() - begun;
  } else if (value > before + 1) {
    *(was_first ? &lost_after_first : &lost) += (long) (value - before - 1);
  } else if (value < before) {
    backward++;
  }
}

static void change(struct connection_handler_args event) {
  if (event.op == CA_OP_CONN_UP) {
    if (++connected == channels) connected_seconds = now() - begun;
    ca_create_subscription(DBR_TIME_DOUBLE, 1, event.chid, DBE_VALUE | DBE_ALARM, take, ca_puser(event.chid), NULL);
  }
}

static double processor(void) {
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_utime.tv_sec + usage.ru_stime.tv_sec + (usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) * 1e-6;
}

int main(int count, char **arguments) {
  if (count != 4) return 2;
  channels = atoi(arguments[1]);
  last = malloc(channels * sizeof *last);
  is_first = calloc(channels, 1);
  ca_context_create(ca_enable_preemptive_callback);
  begun = now();
  for (long i = 0; i < channels; i++) {
    char name[100];
    chid channel;
    snprintf(name, sizeof name, "%s%ld", arguments[3], i);
    last[i] = NAN;
    ca_create_channel(name, change, (void *) i, 0, &channel);
  }
  ca_flush_io();
  double end = now() + atof(arguments[2]), settled = end - atof(arguments[2]) / 3, settled_processor = 0;
  long settled_values = 0;
  while (now() < end) {
    struct timespec pause = {0, 100000000};
    nanosleep(&pause, NULL);
    ca_flush_io();
    if (settled_processor == 0 && now() > settled) {
      settled_processor = processor();
      settled_values = values;
      memset(slots, 0, sizeof slots);
      delays = 0;
    }
  }
  double used = processor();
  long left = delays / 100, slot = 400000;
  while (slot > 0 && (left -= slots[slot]) >= 0) slot--;
  printf("libca: channels=%d seen=%d connected=%.2fs first_values=%.2fs values=%ld lost=%ld lost_after_first=%ld backward=%ld seconds=%.1f cpu=%.2fs us_per_event=%.2f delay_p99=%.1fms\n",
         channels, seen, connected_seconds, seen_seconds, values, lost, lost_after_first, backward, now() - begun,
         used, (used - settled_processor) * 1e6 / (values - settled_values), (slot + 1) * 0.05);
  return 0;
}
