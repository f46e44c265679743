package org.kblake.lake.publish;

/** Receives the progress of publishing. */
public interface PublishListener {

  /** Receives that bytes of files of blocks were read. */
  void read(long bytes);

  /**
   * Receives a snapshot.
   *
   * @param table the table's name
   * @param added the number of added data files
   * @param removed the number of data files that they replace
   */
  void committed(String table, int added, int removed, long addedBytes);

  /** Receives a line on what could not be published. The rest is. */
  void problem(String message);
}
