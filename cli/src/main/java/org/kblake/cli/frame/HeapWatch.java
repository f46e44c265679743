package org.kblake.cli.frame;

import java.util.concurrent.TimeUnit;

/**
 * A thread that collects garbage when the used part of the heap has more than 48 MiB and has grown
 * by half since the last time. Without it, the serial collector of JDK 25 enlarges the heap up to
 * its maximum before it collects old objects, and long work takes far more memory than {@code
 * --memory}.
 */
final class HeapWatch {

  private static final long SMALL_BYTES = 48L << 20;
  private static final long PERIOD_MILLIS = 100;

  private final Thread thread = new Thread(this::watch, "kblake-heap");

  private HeapWatch() {}

  /** Starts the thread. The caller closes it. */
  static HeapWatch start() {
    HeapWatch watch = new HeapWatch();
    watch.thread.setDaemon(true);
    watch.thread.start();
    return watch;
  }

  private void watch() {
    try {
      long limitBytes = limitBytes();
      while (true) {
        TimeUnit.MILLISECONDS.sleep(PERIOD_MILLIS);
        if (usedBytes() > limitBytes) {
          System.gc();
          limitBytes = limitBytes();
        }
      }
    } catch (InterruptedException e) {
      // The work has ended.
    }
  }

  private static long limitBytes() {
    return Math.max(SMALL_BYTES, usedBytes() * 3 / 2);
  }

  private static long usedBytes() {
    Runtime runtime = Runtime.getRuntime();
    return runtime.totalMemory() - runtime.freeMemory();
  }

  void close() {
    thread.interrupt();
  }
}
