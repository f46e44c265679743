package org.kblake.query.internal.plan;

import org.kblake.query.internal.catalog.PairSlot;

/** A part of a plan that is read from one place. Legs follow each other in log order. */
public sealed interface ReadRange permits StoredRange, RawRange {

  /** The pair whose log the leg is of. */
  PairSlot pair();
}
