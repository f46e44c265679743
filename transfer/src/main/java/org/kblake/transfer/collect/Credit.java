package org.kblake.transfer.collect;

/** The bytes that a builder lets its collector send. Thread safe. */
final class Credit {

  private long total;
  private long signals;

  /** Takes a new total, and wakes the sender. */
  synchronized void grant(long totalBytes) {
    total = Math.max(total, totalBytes);
    wake();
  }

  synchronized long total() {
    return total;
  }

  /** Wakes the sender for another reason. */
  synchronized void wake() {
    signals++;
    notifyAll();
  }

  /** Returns a number that changes when something wakes the sender. */
  synchronized long signals() {
    return signals;
  }

  /** Waits until something has woken the sender since a number, or a time is over. */
  synchronized void await(long since, long nanos) throws InterruptedException {
    long end = System.nanoTime() + nanos;
    for (long left = nanos; signals == since && left > 0; left = end - System.nanoTime()) {
      wait(left / 1_000_000, (int) (left % 1_000_000));
    }
  }
}
