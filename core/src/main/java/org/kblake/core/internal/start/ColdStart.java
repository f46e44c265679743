package org.kblake.core.internal.start;

/**
 * Whether the process is likely to end before the JVM has optimised any code. Then caches and
 * libraries are not set up if that takes longer than it saves.
 */
public final class ColdStart {

  private static volatile boolean expected;

  private ColdStart() {}

  /** Declares that the process is likely to end soon. A program calls this method first. */
  public static void expect() {
    expected = true;
  }

  /** Returns whether the process is likely to end soon. */
  public static boolean isExpected() {
    return expected;
  }
}
