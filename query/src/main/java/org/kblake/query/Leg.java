package org.kblake.query;

/** A part of a plan that is read from one place. Legs follow each other in log order. */
sealed interface Leg permits StoredLeg, RawLeg {

  /** The pair whose log the leg is of. */
  PairSlot pair();
}
