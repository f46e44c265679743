package org.kblake.transfer;

/** Gets what happens, for the user. Called by several threads. */
public interface TransferLog {

  /**
   * @param message a line
   */
  void info(String message);

  /**
   * @param message a line: the problem, the place, and what to do
   */
  void warn(String message);
}
