package org.kblake.core.internal.store.file;

import java.io.IOException;

/**
 * The error of a store that cannot be used as requested. A reason that callers handle has its own
 * type. The message contains what to do.
 */
public sealed class StoreException extends IOException {

  private static final long serialVersionUID = 1L;

  public StoreException(String message) {
    super(message);
  }

  /** The store was made from another archive, or under other settings. */
  public static final class Mismatch extends StoreException {
    private static final long serialVersionUID = 1L;

    public Mismatch(String message) {
      super(message);
    }
  }

  /** There is no store. */
  public static final class Missing extends StoreException {
    private static final long serialVersionUID = 1L;

    public Missing(String message) {
      super(message);
    }
  }

  /** Another process writes the store. */
  public static final class Locked extends StoreException {
    private static final long serialVersionUID = 1L;

    /**
     * The end of the text of a holder that carries out requests of other processes, at a socket.
     */
    public static final String TAKES_REQUESTS = " requests=socket";

    private final String holder;

    public Locked(String message, String holder) {
      super(message);
      this.holder = holder;
    }

    /** Returns the process that writes it, {@code host=... pid=... since=...} if that is known. */
    public String holder() {
      return holder;
    }
  }
}
