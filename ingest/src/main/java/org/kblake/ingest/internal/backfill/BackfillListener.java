package org.kblake.ingest.internal.backfill;

import org.kblake.core.internal.store.block.Block;
import org.kblake.core.model.Group;

/** Receives the progress of a backfill. Called from several threads. */
public interface BackfillListener {

  /** What is to be done. */
  void planned(long rawBytes);

  /** So much more of the raw log is in rows. */
  void scanned(Group group, long rawBytes, long events);

  /** A block is in use, durable. */
  void committed(Block block, long storedBytes);

  /** Something could not be read or is damaged; the rest continues. */
  void problem(Group group, String message);
}
