package org.kblake.query;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.time.Duration;
import java.util.function.Consumer;
import org.apache.arrow.memory.BufferAllocator;
import org.jspecify.annotations.Nullable;
import org.kblake.query.answer.CoverageReport;
import org.kblake.query.answer.Intervals;
import org.kblake.query.internal.engine.EventAnswer;
import org.kblake.query.internal.remote.ContinuedRows;
import org.kblake.query.internal.remote.HttpAnswer;
import org.kblake.query.internal.remote.RefusedException;
import org.kblake.query.internal.remote.RemoteException;
import org.kblake.query.internal.remote.RemoteQuestion;
import org.kblake.query.internal.remote.RemoteRest;
import org.kblake.query.internal.remote.RemoteRows;
import org.kblake.query.internal.source.AnswerPosition;
import org.kblake.query.question.EventQuery;
import org.kblake.query.question.IntervalQuery;
import org.kblake.query.question.Source;
import org.kblake.query.question.UnknownChannelException;

/**
 * An archive that {@code kblake serve} serves, open for questions about events and intervals.
 * Answers have the rows, the order and the columns of an {@link ArchiveReader} on the server's
 * host.
 *
 * <p>If the server is away, answers come from the raw logs of an archive of one's own, if there is
 * one. An answer that the server began goes on from the place after the last batch, or ends with a
 * coverage that is not complete. An answer about {@link EventQuery#last} does not go on. Not thread
 * safe. The caller closes the readers, and then this.
 */
public final class RemoteReader implements AutoCloseable {

  private final URI server;
  private final @Nullable String token;
  private final Duration timeout;
  private final @Nullable OwnArchive ownArchive;
  private final Consumer<String> notes;
  private @Nullable ArchiveReader opened;

  /** Opens an archive of one's own. */
  @FunctionalInterface
  public interface OwnArchive {

    /**
     * Opens the archive.
     *
     * @return closed by the {@link RemoteReader}
     */
    ArchiveReader open() throws IOException;
  }

  /**
   * @param server the address of the server, {@code http://HOST:PORT} or https
   * @param token the token of the server; null for none
   * @param timeout the longest silence of the server; then it counts as away
   * @param ownArchive is opened when the server is away; null if there is none
   * @param notes gets a line when the server is away and the own archive answers
   */
  public RemoteReader(
      URI server,
      @Nullable String token,
      Duration timeout,
      @Nullable OwnArchive ownArchive,
      Consumer<String> notes) {
    this.server = server;
    this.token = token;
    this.timeout = timeout;
    this.ownArchive = ownArchive;
    this.notes = notes;
  }

  /**
   * Begins to read events.
   *
   * @param allocator the parent of the reader's own allocator
   * @return the caller closes it
   * @throws IOException if the server is away and there is no own archive, or it refuses the
   *     question
   */
  public EventReader read(EventQuery query, BufferAllocator allocator) throws IOException {
    EventAnswer answer = ask(query);
    return answer == null
        ? own().read(query.from(Source.RAW), allocator)
        : new EventReader(
            allocator.newChildAllocator("EventReader", 0, Long.MAX_VALUE), answer, () -> {});
  }

  /**
   * Begins to read events without Arrow, as decoded columns.
   *
   * @return the caller closes it
   * @throws IOException if the server is away and there is no own archive, or it refuses the
   *     question
   */
  public EventCursor cursor(EventQuery query) throws IOException {
    EventAnswer answer = ask(query);
    return answer == null
        ? own().cursor(query.from(Source.RAW))
        : new EventCursor(answer, () -> {});
  }

  /** Returns the begin of the server's answer; null if the server is away. */
  private @Nullable EventAnswer ask(EventQuery query) throws IOException {
    try {
      InputStream in = HttpAnswer.open(RemoteQuestion.uri(server, query), token, timeout);
      return RemoteRows.open(query, in, rest());
    } catch (RefusedException e) {
      throw e;
    } catch (IOException e) {
      readRawInstead(e);
      return null;
    }
  }

  /**
   * Returns the times at which a channel holds a value that meets a condition.
   *
   * @throws UnknownChannelException if the server has no such channel
   * @throws IOException if the server is away and there is no own archive, or it refuses the
   *     question
   */
  public Intervals intervals(IntervalQuery query) throws IOException {
    try {
      return HttpAnswer.intervals(RemoteQuestion.uri(server, query), token, timeout);
    } catch (RefusedException e) {
      if (e.isUnknownChannel()) {
        throw new UnknownChannelException(String.valueOf(e.getMessage()));
      }
      throw e;
    } catch (IOException e) {
      readRawInstead(e);
      ArchiveReader archive = own();
      return archive.withLosses(archive.intervals(query.from(Source.RAW)), query.range());
    }
  }

  /**
   * Returns a coverage with losses. A server has told them; if raw logs of the own archive
   * answered, also in part, its ledgers tell them.
   */
  public CoverageReport withLosses(CoverageReport coverage) throws IOException {
    ArchiveReader present = opened;
    return present == null || coverage.losses().hasLedger()
        ? coverage
        : present.withLosses(coverage);
  }

  /** Tells that raw logs are read; throws an exception if there is no own archive. */
  private void readRawInstead(IOException e) throws RemoteException {
    String away = away(e);
    if (ownArchive == null) {
      throw new RemoteException(away + "; name an archive of your own to read raw logs", e);
    }
    notes.accept(away + "; raw logs are read");
  }

  private String away(IOException e) {
    return "no answer from " + server + ": " + reason(e);
  }

  private static String reason(IOException e) {
    String message = e.getMessage();
    return e instanceof RemoteException && message != null
        ? message
        : e.getClass().getSimpleName() + (message == null ? "" : ": " + message);
  }

  private ArchiveReader own() throws IOException {
    ArchiveReader present = opened;
    if (present == null) {
      OwnArchive archive = ownArchive;
      if (archive == null) {
        throw new IllegalStateException("no archive");
      }
      present = archive.open();
      opened = present;
    }
    return present;
  }

  private RemoteRest rest() {
    return this::rest;
  }

  private ContinuedRows rest(EventQuery query, ContinuedRows.Sent sent, IOException why) {
    String away = "the answer of " + server + " was cut off: " + reason(why);
    AnswerPosition position = sent.position();
    EventAnswer own = null;
    if (ownArchive != null && position != null && query.lastEvents() == 0) {
      try {
        own = own().engine.eventsFrom(withoutFilter(query), position);
        notes.accept(away + "; raw logs are read from there on");
      } catch (IOException | IllegalArgumentException e) {
        away += "; its rest cannot be read from raw logs: " + e.getMessage();
      }
    }
    return new ContinuedRows(query, sent, own, away);
  }

  /** Returns the question about the events behind held values. The rows are filtered later. */
  private static EventQuery withoutFilter(EventQuery query) {
    EventQuery events =
        EventQuery.of(query.channels()).between(query.range()).from(Source.RAW).allowIncomplete();
    return query.hasStrays() ? events.withStrays() : events;
  }

  @Override
  public void close() throws IOException {
    ArchiveReader present = opened;
    opened = null;
    if (present != null) {
      present.close();
    }
  }
}
