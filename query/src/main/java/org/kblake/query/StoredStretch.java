package org.kblake.query;

import org.kblake.core.store.Block;
import org.kblake.core.store.Stretch;

/**
 * What a block holds of one pair.
 *
 * @param block the block
 * @param number of the stretch in the block
 */
record StoredStretch(Block block, int number) {

  Stretch stretch() {
    return block.stretches().get(number);
  }
}
