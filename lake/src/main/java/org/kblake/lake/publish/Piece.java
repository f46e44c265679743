package org.kblake.lake.publish;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.kblake.core.internal.store.block.Block;
import org.kblake.core.internal.store.block.LogSpan;

/**
 * What a new data file has of a block.
 *
 * @param block the block
 * @param part the stretches whose rows the file has; null for the whole block
 */
public record Piece(Block block, @Nullable List<LogSpan> part) {

  /** Returns the stretches of the log whose rows the file has. */
  List<LogSpan> stretches() {
    return part == null ? block.spans() : part;
  }
}
