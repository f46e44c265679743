package org.kblake.core.log;

import java.io.IOException;

/**
 * A pair whose index is not written far enough yet. Not damage and not absence: ask again later.
 */
public final class PendingPairException extends IOException {

  private static final long serialVersionUID = 1L;

  PendingPairException(Pair pair, long indexBytes) {
    super(
        "pair is only beginning: group="
            + pair.group()
            + ", period="
            + pair.period()
            + ", file="
            + pair.indexPath()
            + ", index bytes="
            + indexBytes
            + "; its record table is not complete yet, try again later");
  }
}
