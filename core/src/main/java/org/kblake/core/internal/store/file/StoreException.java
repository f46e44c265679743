package org.kblake.core.internal.store.file;

import java.io.IOException;

/**
 * The error of a store that cannot be used as requested. Each reason has its own type. The message
 * contains what to do.
 */
public abstract sealed class StoreException extends IOException {

  private static final long serialVersionUID = 1L;

  private StoreException(String message) {
    super(message);
  }

  /** The store was made from another archive, or under other settings. */
  public static final class Mismatch extends StoreException {
    private static final long serialVersionUID = 1L;

    public Mismatch(String message) {
      super(message);
    }
  }

  /** The store needs a newer kblake. */
  public static final class TooNew extends StoreException {
    private static final long serialVersionUID = 1L;

    public TooNew(String message) {
      super(message);
    }
  }

  /** This kblake does not read the store's format any more. */
  public static final class TooOld extends StoreException {
    private static final long serialVersionUID = 1L;

    public TooOld(String message) {
      super(message);
    }
  }

  /** The store's identity file is damaged. */
  public static final class Corrupt extends StoreException {
    private static final long serialVersionUID = 1L;

    public Corrupt(String message) {
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

  /** The store would be inside its archive, where nothing is ever written. */
  public static final class Misplaced extends StoreException {
    private static final long serialVersionUID = 1L;

    public Misplaced(String message) {
      super(message);
    }
  }

  /** A directory of the store cannot be listed. */
  public static final class Unlisted extends StoreException {
    private static final long serialVersionUID = 1L;

    public Unlisted(String message) {
      super(message);
    }
  }

  /** Another process writes the store. */
  public static final class Locked extends StoreException {
    private static final long serialVersionUID = 1L;

    /** The end of the text of a holder that carries out requests of other processes. */
    public static final String TAKES_REQUESTS = " requests=yes";

    private final String holder;

    public Locked(String message, String holder) {
      super(message);
      this.holder = holder;
    }

    /** Returns the process that writes it, {@code host=... pid=... since=...} if that is known. */
    public String holder() {
      return holder;
    }

    /** Returns whether the holder carries out requests, now or after its start. */
    public boolean takesRequests() {
      return holder.endsWith(TAKES_REQUESTS);
    }
  }
}
