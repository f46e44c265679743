package org.kblake.cli.command.get;

import java.io.IOException;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.jspecify.annotations.Nullable;
import org.kblake.cli.command.answer.EmptyAnswerNote;
import org.kblake.cli.frame.Session;
import org.kblake.core.model.Channel;
import org.kblake.query.ArchiveReader;
import org.kblake.query.EventCursor;
import org.kblake.query.EventReader;
import org.kblake.query.RemoteReader;
import org.kblake.query.answer.CoverageReport;
import org.kblake.query.question.EventQuery;

/**
 * What answers questions about events: an archive, or a server. One of both is null.
 *
 * @param archive an archive of this host
 * @param server a server
 */
record EventSource(@Nullable ArchiveReader archive, @Nullable RemoteReader server) {

  static EventSource of(ArchiveReader archive) {
    return new EventSource(archive, null);
  }

  static EventSource of(RemoteReader server) {
    return new EventSource(null, server);
  }

  EventCursor cursor(EventQuery query) throws IOException {
    if (archive != null) {
      return archive.cursor(query);
    }
    return present().cursor(query);
  }

  EventReader read(EventQuery query, BufferAllocator allocator) throws IOException {
    if (archive != null) {
      return archive.read(query, allocator);
    }
    return present().read(query, allocator);
  }

  /** Returns a coverage with what recorders may have lost. */
  CoverageReport withLosses(CoverageReport coverage) throws IOException {
    return archive != null ? archive.withLosses(coverage) : present().withLosses(coverage);
  }

  private RemoteReader present() {
    if (server == null) {
      throw new IllegalStateException("neither an archive nor a server");
    }
    return server;
  }

  /** Explains an answer without rows. Of a server the facts of channels are not asked. */
  void explainEmpty(
      Session session, EventQuery query, List<Channel> channels, CoverageReport coverage) {
    if (archive != null) {
      new EmptyAnswerNote(session, archive, query.source()).print(query, channels, coverage);
    } else {
      session.note("no events in the range");
    }
  }
}
