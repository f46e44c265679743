package org.kblake.benchmarks.jparc;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** ValueKind in the files of a program, which loads, reads and removes them. */
interface StoredValues extends Closeable {

  /** The number of threads that read at the same time, as in J-PARC's test. */
  int READERS = 5;

  /** Returns the name of the program, with the options and the contents of the files. */
  String text() throws IOException, InterruptedException;

  /**
   * Loads the values of a day, until they are in files.
   *
   * @return milliseconds
   */
  double load(int day) throws IOException, InterruptedException;

  /**
   * Does the work on the files that the program usually does later.
   *
   * @return milliseconds, 0 if there is no such work
   */
  double merge() throws IOException, InterruptedException;

  /** Returns the size of the files. */
  long bytes() throws IOException, InterruptedException;

  /**
   * Reads in {@link #READERS} threads, each every n-th of the requested days.
   *
   * @return milliseconds
   * @throws IOException if values are missing
   */
  double read(List<RequestedDay> days) throws IOException, InterruptedException;

  /**
   * Reads all values of days.
   *
   * @return a sum that depends on each channel, time and value
   */
  long sum(List<RequestedDay> days) throws IOException, InterruptedException;

  /**
   * Empties the program's own caches.
   *
   * @return the files to evict before a cold read
   */
  List<Path> forget() throws IOException, InterruptedException;

  /** Removes the files. */
  @Override
  void close() throws IOException;
}
