package org.kblake.ingest.internal.image;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.kblake.core.internal.store.block.Patch;
import org.kblake.core.internal.store.block.StoredSegment;
import org.kblake.ingest.internal.rows.MergedRows;
import org.kblake.ingest.internal.rows.RowSource;
import org.kblake.ingest.internal.rows.Series;

/**
 * Makes the patch of a block of the patches of the blocks that it is merged from, while these are
 * replayed one after the other.
 *
 * <p>The pieces stay what they are, because what they amend is predicted as before, with one
 * exception. The state of all records begins empty with a block, so the first milestone of a block
 * that continues in a pair is nearly all patch; in the merged block the state continues, too. That
 * milestone is compared again with what the state at the end of the block before predicts. From a
 * well-formed milestone on the two states are the same, since both are what it says. One that is
 * not changes neither: until the next one both states are then kept, and all milestones compared
 * again.
 */
public final class MergedPatch implements BlockReplay.Observer {

  private final Patch.Writer patch;
  private final PatchBuilder patchBuilder;
  private final MergedAccount account;
  private final MergedRows rows;

  /** The state as it is in the merged block, null where it is that of the block being replayed. */
  private @Nullable LogEncoder merged;

  private @Nullable LogEncoder replayed;
  private int stretch = -1;

  /**
   * @param account has the place of the replayed block in the merged one
   * @param rows are told what values take
   */
  public MergedPatch(Patch.Writer patch, MergedAccount account, MergedRows rows) {
    this.patch = patch;
    this.patchBuilder = new PatchBuilder(patch);
    this.account = account;
    this.rows = rows;
  }

  /** The next block is going to be replayed; it is in the account already. */
  public void begin() {
    LogEncoder before = merged == null ? replayed : merged;
    merged = account.goesOn() ? before : null;
    stretch = -1;
  }

  @Override
  public void window(List<Series> series, RowSource window) {
    rows.count(series, window);
  }

  @Override
  public void milestone(
      StoredSegment segment, LogEncoder pair, ByteBuffer bytes, List<Patch> pieces)
      throws IOException {
    if (stretch >= 0 && segment.stretch() != stretch) {
      merged = null;
    }
    stretch = segment.stretch();
    replayed = pair;
    LogEncoder states = merged;
    if (states == null || !pair.isWhole(bytes)) {
      for (Patch piece : pieces) {
        piece(piece);
      }
    } else {
      patchBuilder.milestone(
          account.stretch(stretch),
          states,
          segment.startOffset(),
          segment.milestoneNanos(),
          bytes.duplicate().order(bytes.order()));
      if (states.load(bytes)) {
        merged = null;
      }
    }
  }

  @Override
  public void event(int ordinal, ByteBuffer bytes) {
    if (merged != null) {
      merged.apply(ordinal, bytes);
    }
  }

  @Override
  public void piece(Patch piece) throws IOException {
    patch.add(
        piece.overlay(),
        account.stretch(piece.stretch()),
        piece.offset(),
        ByteBuffer.wrap(piece.bytes()));
  }
}
