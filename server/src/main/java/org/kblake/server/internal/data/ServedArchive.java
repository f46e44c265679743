package org.kblake.server.internal.data;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneId;
import java.util.HashSet;
import java.util.Set;
import java.util.UUID;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.kblake.core.archive.Interruption;
import org.kblake.core.model.Group;
import org.kblake.core.model.TimeRange;
import org.kblake.query.ArchiveReader;
import org.kblake.query.answer.ChannelInfo;
import org.kblake.query.question.ChannelSelection;
import org.kblake.query.question.HeldQuery;
import org.kblake.query.question.Scope;

/** The archive of a server, and the Arrow memory of its requests. Thread safe. */
public final class ServedArchive implements AutoCloseable {

  private final ArchiveReader reader;
  private final ZoneId zone;
  private final InstantSource clock;
  private final Duration lookBack;
  private final ChannelIndex channels;
  private final AnswerMemory answers;
  private final RootAllocator memory = new RootAllocator();
  private final String process = UUID.randomUUID().toString();

  /**
   * @param reader stays open
   * @param zone the zone of times without an offset
   * @param lookBack the greatest age of held values
   * @param answers the memory of all requests
   */
  public ServedArchive(
      ArchiveReader reader,
      ZoneId zone,
      InstantSource clock,
      Duration lookBack,
      AnswerMemory answers) {
    this.lookBack = lookBack;
    this.answers = answers;
    this.reader = reader;
    this.zone = zone;
    this.clock = clock;
    channels = new ChannelIndex(reader);
  }

  /** Returns the archive. */
  public ArchiveReader reader() {
    return reader;
  }

  /** Returns the zone of times without an offset. */
  public ZoneId zone() {
    return zone;
  }

  /** Returns a text that no other process has. So answers of other versions are not taken. */
  public String process() {
    return process;
  }

  /** Returns the present time. */
  public Instant now() {
    return clock.instant();
  }

  /** Returns the greatest age of held values. */
  public Duration lookBack() {
    return lookBack;
  }

  /** Returns the scope of questions about channels, whose answers may be incomplete. */
  public Scope scope(ChannelSelection selection) {
    return Scope.of(selection).lookBack(lookBack).allowIncomplete();
  }

  /**
   * Returns the question about the values that channels held at an instant.
   *
   * @param atNanos nanoseconds since 1970 UTC
   */
  public HeldQuery heldQuery(ChannelSelection selection, long atNanos) {
    return new HeldQuery(scope(selection).at(atNanos));
  }

  /**
   * Returns the time of which the archive has events of any group, from the begin of the first pair
   * to the latest event. It is empty if there are none.
   */
  public TimeRange recorded() throws IOException {
    long from = Long.MAX_VALUE;
    long to = Long.MIN_VALUE;
    Set<Group> groups = new HashSet<>();
    for (ChannelInfo info : channels.all()) {
      Interruption.check();
      if (groups.add(info.channel().group())) {
        from = Math.min(from, reader.recorded(info.channel()).fromNanos().orElse(from));
        to = Math.max(to, reader.latestEvent(info.channel().group()).orElse(to));
      }
    }
    return from < to ? new TimeRange(from, to) : new TimeRange(0, 0);
  }

  /** Returns whether no answer has losses. */
  public boolean isWithoutLedger() throws IOException {
    try {
      return reader.ledgers().isEmpty();
    } catch (IOException e) {
      Interruption.check();
      // The answer has a note.
      return false;
    }
  }

  /** Returns the memory of what answers keep before they are written. */
  public AnswerMemory answers() {
    return answers;
  }

  /** Returns the names of all channels. */
  public ChannelIndex channels() {
    return channels;
  }

  /**
   * Returns memory for one request.
   *
   * @param name the request in messages on memory that was not freed
   * @return the caller closes it
   */
  public BufferAllocator memory(String name) {
    return memory.newChildAllocator(name, 0, memory.getLimit());
  }

  /** Returns the bytes of Arrow memory in use. */
  public long memoryInUse() {
    return memory.getAllocatedMemory();
  }

  /**
   * Frees the memory.
   *
   * @throws IllegalStateException if a request has not freed its memory
   */
  @Override
  public void close() {
    memory.close();
  }
}
