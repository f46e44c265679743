package org.kblake.core.internal.start;

/**
 * Whether the process is likely to be over before it is warm: {@code -Dkblake.cold=true}. Then what
 * takes long to set up and pays late is left aside.
 */
public final class ColdStart {

  public static final boolean IS_COLD = Boolean.getBoolean("kblake.cold");

  private ColdStart() {}
}
