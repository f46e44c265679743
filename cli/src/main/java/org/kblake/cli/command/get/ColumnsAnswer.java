package org.kblake.cli.command.get;

import java.io.IOException;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.kblake.cli.format.AnswerWriter;
import org.kblake.cli.frame.Session;
import org.kblake.query.ArchiveReader;
import org.kblake.query.EventReader;
import org.kblake.query.answer.CoverageReport;
import org.kblake.query.question.EventQuery;

/** The events of a range by way of Arrow, in a format that is not text. */
final class ColumnsAnswer {

  private final Session session;
  private final EventQuery query;

  ColumnsAnswer(Session session, EventQuery query) {
    this.session = session;
    this.query = query;
  }

  /**
   * Writes events.
   *
   * @return what is known of the answer
   */
  CoverageReport write(ArchiveReader archive, AnswerOutput target) throws IOException {
    boolean onTerminal = target.isStandardOutput() && session.outIsTerminal();
    try (BufferAllocator allocator = new RootAllocator();
        EventReader reader = archive.read(query, allocator);
        AnswerOutput.Opened opened = target.open();
        ReadProgress progress = ReadProgress.of(session, ReadProgress.Read.of(reader), onTerminal);
        AnswerWriter writer = opened.writer(reader.getVectorSchemaRoot(), reader)) {
      progress.begin();
      while (reader.loadNextBatch()) {
        writer.write();
      }
      writer.finish();
      opened.complete();
      return reader.coverage();
    }
  }
}
