package org.kblake.core.internal.store;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.kblake.core.internal.log.pair.LostMilestones;
import org.kblake.core.internal.store.block.Block;
import org.kblake.core.internal.store.block.PairImage;
import org.kblake.core.layout.LogLayout;

/** Finds the blocks that were made of logs that had lost their ends. */
public final class CutLogs {

  private CutLogs() {}

  /** Returns what the log of a pair had lost when its end was put into a block. */
  public static LostMilestones of(Block block, PairImage image, List<LogLayout> layouts) {
    PairImage.Closing closing = image.closing();
    return closing == null
        ? LostMilestones.none(block.directory())
        : LostMilestones.of(
            block.directory(), image.indexHead(), closing.indexTail(), closing.logBytes(), layouts);
  }

  /** Returns a line for each log of some blocks that had lost its end. */
  public static List<String> lines(List<Block> blocks, List<LogLayout> layouts) throws IOException {
    List<String> lines = new ArrayList<>();
    for (Block block : blocks) {
      for (PairImage image : block.pairs()) {
        LostMilestones lost = of(block, image, layouts);
        if (!lost.isEmpty()) {
          lines.add(lost.toString());
        }
      }
    }
    return lines;
  }
}
