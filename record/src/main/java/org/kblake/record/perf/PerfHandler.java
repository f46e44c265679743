package org.kblake.record.perf;

/** Takes what perf tells of the cores. */
interface PerfHandler {

  /** The core of a record that names none. */
  int UNKNOWN_CORE = -1;

  /** Number of lost samples that perf does not tell. */
  long UNKNOWN = -1;

  /**
   * Takes a sample.
   *
   * @param sample valid until the method returns
   * @throws MalformedPerfException if it cannot be one of this machine
   */
  void sample(PerfSample sample) throws MalformedPerfException;

  /**
   * Takes what perf or the kernel has lost.
   *
   * @param core a core's number, or {@link #UNKNOWN_CORE}
   * @param samples how many, at most (other records are among them), or {@link #UNKNOWN}
   */
  void lost(int core, long samples);

  /** Called when all records that could be read at once were handed out. */
  void endOfBatch();
}
