package org.kblake.cli.standby;

/**
 * What one of several processes holds: the active one. The others stand by. Any thread may ask; no
 * call waits for a network, and of those that ask at once at most one waits for a disk.
 */
public interface Latch extends AutoCloseable {

  /** Returns whether this process is the active one, as far as it knows. */
  boolean isHeld();

  /** Returns whether this process is the active one for certain, so that it may begin to write. */
  boolean isConfirmed();

  /**
   * Returns whether this process may begin to write: it is the active one for certain, or nobody
   * can tell who is, and no other process has worked for long.
   */
  default boolean mayBegin() {
    return isConfirmed();
  }

  /**
   * Returns whether the active process may go on to write. It waits if it was stopped for so long
   * that another one may have taken over, until this is known, or until nobody can tell.
   */
  boolean mayWrite();

  /**
   * Tells whether this process can work. One that cannot gives the latch to another one that waits,
   * and asks for it again when it can, or when nobody else is left.
   */
  default void setAble(boolean isAble) {}

  /** Returns whether nobody can tell who is the active process. */
  default boolean isUnknown() {
    return false;
  }

  /**
   * Tells that another process works, or may. Once this was told, and then not for long, this
   * process may begin although nobody can tell who is active.
   */
  default void anotherWorks() {}

  /** Gives the latch back, or stops waiting for it. */
  @Override
  void close();
}
