package org.kblake.query.internal.catalog;

import org.kblake.core.internal.store.block.Block;
import org.kblake.core.internal.store.block.Stretch;

/**
 * What a block holds of one pair.
 *
 * @param block the block
 * @param number of the stretch in the block
 */
public record StoredStretch(Block block, int number) {

  public Stretch stretch() {
    return block.stretches().get(number);
  }
}
