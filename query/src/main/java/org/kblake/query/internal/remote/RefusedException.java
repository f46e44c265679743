package org.kblake.query.internal.remote;

/** A server that answers, and says that a question is wrong. Raw logs would not help. */
public final class RefusedException extends RemoteException {

  private static final long serialVersionUID = 1;

  private final boolean unknownChannel;

  public RefusedException(String message) {
    this(message, false);
  }

  /**
   * @param unknownChannel whether the server has no such channel
   */
  RefusedException(String message, boolean unknownChannel) {
    super(message);
    this.unknownChannel = unknownChannel;
  }

  /** Returns whether the server has no such channel. */
  public boolean isUnknownChannel() {
    return unknownChannel;
  }
}
