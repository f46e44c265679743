package org.kblake.core.internal.log.pair;

import java.io.IOException;
import java.nio.file.Path;
import org.kblake.core.model.Group;

/**
 * The error of a growing pair whose record table is not complete yet. This is not damage, and the
 * pair is not missing. Try again later.
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
