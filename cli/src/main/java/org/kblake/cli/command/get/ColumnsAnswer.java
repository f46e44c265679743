package org.kblake.cli.command.get;

import java.io.IOException;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.kblake.cli.command.answer.RawReadNote;
import org.kblake.cli.command.answer.ReadProgress;
import org.kblake.cli.frame.Session;
import org.kblake.core.model.Channel;
import org.kblake.core.model.Group;
import org.kblake.format.AnswerWriter;
import org.kblake.query.EventReader;
import org.kblake.query.answer.CoverageReport;
import org.kblake.query.answer.ReadPlan;
import org.kblake.query.question.EventQuery;

/** Writes the events of a range in a binary format, by way of Arrow. */
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
   * @return the coverage and the sources of the answer
   */
  Answered write(EventSource archive, AnswerOutput target) throws IOException {
    CoverageReport coverage;
    ReadPlan.Spent spent;
    List<Group> groups;
    List<Channel> channels;
    boolean empty = true;
    boolean onTerminal = target.isStandardOutput() && session.outIsTerminal();
    try (BufferAllocator allocator = new RootAllocator();
        EventReader reader = archive.read(query, allocator);
        AnswerOutput.Opened opened = target.open();
        ReadProgress progress = ReadProgress.of(session, ReadProgress.Read.of(reader), onTerminal);
        AnswerWriter writer = opened.writer(reader)) {
      progress.begin();
      HeldRowStates states = reader.held().isEmpty() ? null : new HeldRowStates(reader);
      while (reader.loadNextBatch()) {
        empty = false;
        if (states != null) {
          states.set();
        }
        writer.write();
      }
      writer.finish();
      opened.complete();
      coverage = reader.coverage();
      spent = reader.spent();
      groups = reader.groups();
      channels = reader.channels();
    }
    RawReadNote.print(session, query, groups, spent);
    if (empty) {
      archive.explainEmpty(session, query, channels, coverage);
    }
    return new Answered(coverage, spent);
  }
}
