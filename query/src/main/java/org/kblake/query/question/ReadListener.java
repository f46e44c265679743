package org.kblake.query.question;

/** Is told how far an answer is read. Its methods may be called by several threads at a time. */
public interface ReadListener {

  /** A listener that does nothing. */
  ReadListener NONE =
      new ReadListener() {
        @Override
        public void planned(long bytes) {}

        @Override
        public void read(long bytes, long events) {}
      };

  /**
   * Is told once, before anything is read, how much there is to read.
   *
   * @param bytes the bytes of log, which columns may replace
   */
  void planned(long bytes);

  /**
   * Is told what was read since the last call.
   *
   * @param bytes the bytes of log, which columns may replace
   * @param events the number of events
   */
  void read(long bytes, long events);
}
