package org.kblake.lake.publish;

import org.jspecify.annotations.Nullable;
import org.kblake.core.columns.Codec;

/**
 * What new data files must have. A file of a block that lacks it is written again.
 *
 * @param codec the compression; null for any
 * @param fieldIds whether columns have ids, which engines need that do not find columns by name
 */
public record DataForm(@Nullable Codec codec, boolean fieldIds) {

  /** What all engines of docs/cluster.md read. */
  public static final DataForm ANY = new DataForm(null, false);
}
