package org.kblake.ingest.internal.backfill;

import org.kblake.core.internal.store.block.Block;
import org.kblake.core.model.Group;

/** Receives the progress of a backfill. Called from several threads. */
public interface BackfillListener {

  /** Receives the planned bytes of log. */
  void planned(long rawBytes);

  /** Receives the bytes and events of log that were put into rows since the last call. */
  void scanned(Group group, long rawBytes, long events);

  /** Receives a new block, which is durable and in use. */
  void committed(Block block, long storedBytes);

  /** Receives a problem: a file could not be read, or is damaged. The rest continues. */
  void problem(Group group, String message);
}
