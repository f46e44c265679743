package org.kblake.hbase.stop;

/**
 * Whether the user has stopped the command, as Ctrl-C does. An interrupt alone can be lost: HBase's
 * client swallows those that reach it at the wrong moment.
 */
public final class StopRequest {

  private static volatile boolean requested;

  private StopRequest() {}

  /** Begins to wait for the end of the JVM. */
  public static Watch watch() {
    Thread hook = new Thread(() -> requested = true, "kblake-hbase-stop");
    Runtime.getRuntime().addShutdownHook(hook);
    return new Watch(hook);
  }

  /** A wait for the end of the JVM. */
  public static final class Watch {
    private final Thread hook;

    private Watch(Thread hook) {
      this.hook = hook;
    }

    /** Ends the wait. */
    public void end() {
      try {
        boolean unused = Runtime.getRuntime().removeShutdownHook(hook);
      } catch (IllegalStateException e) {
        // The JVM is about to end, and runs the hook.
      }
    }
  }

  /**
   * Returns whether this thread was interrupted, or the JVM is about to end. Clears the interrupt.
   */
  public static boolean isMade() {
    return Thread.interrupted() || requested;
  }

  /**
   * Ends the work if the user has stopped it.
   *
   * @throws InterruptedException if {@link #isMade}
   */
  public static void check() throws InterruptedException {
    if (isMade()) {
      throw new InterruptedException();
    }
  }
}
