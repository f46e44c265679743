package org.kblake.query.internal.source;

import java.io.IOException;

/**
 * A read that returns one channel after the other cannot continue, because no other source has the
 * same order. The answer must be read again in log order.
 */
public final class PlaceLostException extends IOException {

  private static final long serialVersionUID = 1;

  public PlaceLostException(String message) {
    super(message);
  }
}
