package org.kblake.core.internal.start;

/**
 * Whether the process is likely to end before the JVM has optimised any code. Then nothing is set
 * up that takes long and saves little.
 */
public final class ColdStart {

  private static volatile boolean expected;

  private ColdStart() {}

  /** Declares that the process is likely to end soon. A program calls it before all else. */
  public static void expect() {
    expected = true;
  }

  /** Returns whether the process is likely to end soon. */
  public static boolean isExpected() {
    return expected;
  }
}
