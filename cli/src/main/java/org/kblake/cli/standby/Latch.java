package org.kblake.cli.standby;

/**
 * What one of several processes holds: the active one. The others stand by. Any thread may ask; no
 * call waits for a network.
 */
public interface Latch extends AutoCloseable {

  /** Returns whether this process is the active one, as far as it knows. */
  boolean isHeld();

  /** Returns whether this process is the active one for certain, so that it may begin to write. */
  boolean isConfirmed();

  /**
   * Returns whether the active process may go on to write. It waits if it was stopped for so long
   * that another one may have taken over, until this is known, or until nobody can tell.
   */
  boolean mayWrite();

  /** Gives the latch back, or stops waiting for it. */
  @Override
  void close();
}
