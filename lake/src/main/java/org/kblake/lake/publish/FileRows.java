package org.kblake.lake.publish;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.kblake.core.log.LogSpan;
import org.kblake.core.store.StoredBlock;

/**
 * What a new data file has of a block.
 *
 * @param block the block
 * @param chosen the spans whose rows the file has; null for the whole block
 */
public record FileRows(StoredBlock block, @Nullable List<LogSpan> chosen) {

  /** Returns the spans of the log whose rows the file has. */
  List<LogSpan> spans() {
    return chosen == null ? block.spans() : chosen;
  }
}
