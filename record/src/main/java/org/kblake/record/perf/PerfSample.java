package org.kblake.record.perf;

/** A sample of a core. The reader fills the same object again and again. */
final class PerfSample {

  /** Number of the core. */
  int core;

  /** Process, and thread; 0 if the core was idle. */
  int pid;

  int tid;

  /** Nanoseconds of the clock CLOCK_MONOTONIC. */
  long monotonicNanos;

  /** Address of the instruction. */
  long address;

  /** Counts since some moment, in the order of the command; empty without counters. */
  long[] counts = {};
}
