package org.kblake.benchmarks;

import java.io.IOException;
import org.apache.arrow.memory.BufferAllocator;
import org.kblake.query.ArchiveReader;
import org.kblake.query.EventReader;
import org.kblake.query.question.EventQuery;

/** Reads answers to their end, batch after batch. */
public final class AnswerRows {

  private AnswerRows() {}

  /** Returns the number of rows of an answer. */
  public static long count(ArchiveReader archive, EventQuery query, BufferAllocator allocator)
      throws IOException {
    long rows = 0;
    try (EventReader events = archive.read(query, allocator)) {
      while (events.loadNextBatch()) {
        rows += events.getVectorSchemaRoot().getRowCount();
      }
    }
    return rows;
  }
}
