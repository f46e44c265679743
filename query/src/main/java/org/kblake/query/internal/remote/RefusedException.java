package org.kblake.query.internal.remote;

/** A server that answers, and says that a question is wrong. Raw logs would not help. */
public final class RefusedException extends RemoteException {

  private static final long serialVersionUID = 1;

  public RefusedException(String message) {
    super(message);
  }
}
