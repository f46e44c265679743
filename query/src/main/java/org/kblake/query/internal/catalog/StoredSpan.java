package org.kblake.query.internal.catalog;

import org.kblake.core.internal.store.block.Block;
import org.kblake.core.internal.store.block.LogSpan;

/**
 * The stretch of one pair in a block.
 *
 * @param block the block
 * @param number the number of the stretch in the block
 */
public record StoredSpan(Block block, int number) {

  public LogSpan stretch() {
    return block.spans().get(number);
  }
}
