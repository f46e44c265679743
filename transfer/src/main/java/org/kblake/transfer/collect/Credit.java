package org.kblake.transfer.collect;

/** The bytes that a builder lets its collector send. Thread safe. */
final class Credit {

  private long total;

  /** Takes a new total, and wakes the sender. */
  synchronized void grant(long totalBytes) {
    total = Math.max(total, totalBytes);
    notifyAll();
  }

  synchronized long total() {
    return total;
  }

  /** Wakes the sender for another reason. */
  synchronized void wake() {
    notifyAll();
  }

  /** Waits until something wakes the sender, or a time is over. */
  @SuppressWarnings("WaitNotInLoop") // the caller looks at everything again
  synchronized void await(long nanos) throws InterruptedException {
    wait(nanos / 1_000_000, (int) (nanos % 1_000_000));
  }
}
