package org.kblake.core.internal.log.pair;

import java.io.IOException;
import java.nio.file.Path;
import org.kblake.core.model.Group;

/**
 * A pair whose index is not written far enough yet. Not damage and not absence: ask again later.
 */
public final class PendingPairException extends IOException {

  private static final long serialVersionUID = 1L;

  PendingPairException(Group group, String period, Path indexPath, long indexBytes) {
    super(
        "pair has just begun: group="
            + group
            + ", period="
            + period
            + ", file="
            + indexPath
            + ", index bytes="
            + indexBytes
            + "; its record table is incomplete, try again later");
  }
}
