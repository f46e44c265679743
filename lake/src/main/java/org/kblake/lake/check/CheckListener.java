package org.kblake.lake.check;

/** Receives the progress of a verification. */
public interface CheckListener {

  /** Receives that bytes of data files were read. */
  void read(long bytes);

  /** Receives a data file that equals the rows of a block of the store. */
  void proven();

  /** Receives a data file that equals its own hash, and whose block the store does not have. */
  void unchanged();

  /** Receives the number of files of blocks that a table lacks. */
  void unpublished(int files);

  /** Receives a line on a table that is wrong. */
  void wrong(String message);

  /** Receives a line on what could not be compared. */
  void problem(String message);
}
