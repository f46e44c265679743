package org.kblake.query.internal.plan;

import java.io.IOException;
import org.kblake.query.internal.catalog.PairSlot;

/** A range of a plan that is read from one source. Ranges follow each other in log order. */
public sealed interface ReadRange permits StoredRange, RawRange {

  /** Returns the pair of the range. */
  PairSlot pair();

  /** Returns the offset in the log of the first segment's milestone. */
  long beginOffset() throws IOException;

  /** Returns the bytes of log of the segments. */
  long bytes() throws IOException;
}
