package org.kblake.query.internal.plan;

import org.kblake.query.internal.catalog.PairSlot;

/** A part of a plan that is read from one source. Ranges follow each other in log order. */
public sealed interface ReadRange permits StoredRange, RawRange {

  /** Returns the pair of the range. */
  PairSlot pair();
}
