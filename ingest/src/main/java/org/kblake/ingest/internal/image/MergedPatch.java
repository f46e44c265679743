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
 * Makes the patch of a merged block from the patches of its source blocks, while these are replayed
 * one after the other.
 *
 * <p>Patches are copied, because the merged block encodes the same bytes before the correction.
 * There is one exception. The state of all records is empty at the begin of a block. So the first
 * milestone of a block that continues a pair is mostly patch. In the merged block the state
 * continues. That milestone is compared again, with the prediction from the state at the end of the
 * previous block.
 *
 * <p>After a well-formed milestone both states are the same, because both are loaded from it. A
 * milestone that is not well-formed changes neither state. Until the next well-formed one, both
 * states are kept, and all milestones are compared again.
 */
public final class MergedPatch implements BlockReplay.Observer {

  private final Patch.Writer patch;
  private final PatchBuilder patchBuilder;
  private final MergedMetadata metadata;
  private final MergedRows rows;

  /** The state in the merged block; null if it equals the state of the replayed block. */
  private @Nullable LogEncoder merged;

  private @Nullable LogEncoder replayed;
  private int span = -1;

  /**
   * @param metadata the metadata, which has the place of the replayed block in the merged one
   * @param rows the rows, which count the memory of values
   */
  public MergedPatch(Patch.Writer patch, MergedMetadata metadata, MergedRows rows) {
    this.patch = patch;
    this.patchBuilder = new PatchBuilder(patch);
    this.metadata = metadata;
    this.rows = rows;
  }

  /** Begins the next block, which is already in the metadata. */
  public void begin() {
    LogEncoder before = merged == null ? replayed : merged;
    merged = metadata.continuesPair() ? before : null;
    span = -1;
  }

  @Override
  public void window(List<Series> series, RowSource window) {
    rows.count(series, window);
  }

  @Override
  public void milestone(
      StoredSegment segment, LogEncoder pair, ByteBuffer bytes, List<Patch> patches)
      throws IOException {
    if (span >= 0 && segment.span() != span) {
      merged = null;
    }
    span = segment.span();
    replayed = pair;
    LogEncoder states = merged;
    if (states == null || !pair.isWhole(bytes)) {
      for (Patch each : patches) {
        patch(each);
      }
    } else {
      patchBuilder.milestone(
          metadata.span(span),
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
  public void patch(Patch copied) throws IOException {
    patch.add(
        copied.overlay(),
        metadata.span(copied.span()),
        copied.offset(),
        ByteBuffer.wrap(copied.bytes()));
  }
}
