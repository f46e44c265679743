package org.kblake.record.group;

/**
 * The bytes of the largest milestones of all groups together. A group has the values of its last
 * milestone in the heap, and several milestones while it begins a pair. Any thread may use it.
 */
final class MilestoneMemory {

  /** All groups may begin a pair at once, as when their disk is there again. */
  private static final int OF_HEAP = 8;

  private final long mostBytes;
  private long bytes;

  MilestoneMemory(long mostBytes) {
    this.mostBytes = mostBytes;
  }

  /** Returns that of a process. */
  static MilestoneMemory ofHeap() {
    return new MilestoneMemory(Runtime.getRuntime().maxMemory() / OF_HEAP);
  }

  long mostBytes() {
    return mostBytes;
  }

  /** Replaces a group's bytes by others. Returns whether there is room; less always has. */
  synchronized boolean replace(long before, long after) {
    if (after > before && bytes - before + after > mostBytes) {
      return false;
    }
    bytes += after - before;
    return true;
  }
}
