package org.kblake.query.internal.catalog;

import org.kblake.core.internal.store.block.Block;
import org.kblake.core.log.LogSpan;

/**
 * The span of one pair in a block.
 *
 * @param block the block
 * @param number the number of the span in the block
 */
public record StoredSpan(Block block, int number) {

  public LogSpan logSpan() {
    return block.spans().get(number);
  }
}
