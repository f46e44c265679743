package org.kblake.query.internal.remote;

import java.io.IOException;

/** A server that does not answer, or whose answer cannot be used. */
public class RemoteException extends IOException {

  private static final long serialVersionUID = 1;

  public RemoteException(String message) {
    super(message);
  }

  public RemoteException(String message, Throwable cause) {
    super(message, cause);
  }
}
