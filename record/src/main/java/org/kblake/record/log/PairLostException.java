package org.kblake.record.log;

import java.io.IOException;

/** The pair cannot be continued: its file is gone, or what it has on the disk is unknown. */
public final class PairLostException extends IOException {

  private static final long serialVersionUID = 1L;

  PairLostException(String reason) {
    super(reason);
  }

  public PairLostException(String reason, Exception cause) {
    super(reason, cause);
  }
}
