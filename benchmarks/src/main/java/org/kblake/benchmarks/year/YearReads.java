package org.kblake.benchmarks.year;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.kblake.benchmarks.AnswerRows;
import org.kblake.core.columns.EventColumns;
import org.kblake.core.model.EventState;
import org.kblake.core.model.TimeRange;
import org.kblake.core.model.ValueType;
import org.kblake.query.ArchiveReader;
import org.kblake.query.EventCursor;
import org.kblake.query.GridReader;
import org.kblake.query.answer.ChannelInfo;
import org.kblake.query.question.ChannelSelection;
import org.kblake.query.question.EventQuery;
import org.kblake.query.question.GridQuery;
import org.kblake.query.question.HeldQuery;

/**
 * Reads of a year in this process. Archive and store stay open between reads.
 *
 * <p>Answers may be incomplete. While the last month is in logs only, no newer pair shows when it
 * ended.
 */
final class YearReads implements AutoCloseable {

  private static final ZoneId ZONE = ZoneId.of("Asia/Tokyo");
  private static final long HOUR_NANOS = Duration.ofHours(1).toNanos();
  private static final Duration SHORT = Duration.ofSeconds(1_000);

  private final BufferAllocator allocator = new RootAllocator();
  private final ArchiveReader reader;
  private final Instant begin;
  private final Instant end;
  private final SplittableRandom random = new SplittableRandom(1);

  /**
   * Opens archive and store.
   *
   * @param begin the first day
   * @param end the day behind the last one
   */
  YearReads(Path archive, Path store, LocalDate begin, LocalDate end) throws IOException {
    this.begin = begin.atStartOfDay(ZONE).toInstant();
    this.end = end.atStartOfDay(ZONE).toInstant();
    reader = ArchiveReader.builder().archive(archive).store(store).open();
  }

  /** Opens archive and store for reads of everything in them. */
  static YearReads ofAll(Path archive, Path store) throws IOException {
    return new YearReads(archive, store, LocalDate.of(1990, 1, 2), LocalDate.of(2100, 1, 1));
  }

  /** Returns the number of channels in the period. */
  int channels() throws IOException {
    return reader.channels(ChannelSelection.glob("*"), range(begin, end)).size();
  }

  /**
   * Returns the names of at most {@code most} channels of single doubles, evenly distributed over
   * all such channels.
   */
  List<String> doubles(int most) throws IOException {
    List<String> names = new ArrayList<>();
    for (ChannelInfo info : reader.channels(ChannelSelection.glob("*"), range(begin, end))) {
      if (info.type() == ValueType.DOUBLE && !info.waveform()) {
        names.add(info.channel().name());
      }
    }
    List<String> chosen = new ArrayList<>();
    int count = Math.min(most, names.size());
    for (int i = 0; i < count; i++) {
      chosen.add(names.get((int) ((i + 0.5) * names.size() / count)));
    }
    return chosen;
  }

  /** Reads all events of a channel as Arrow batches, and counts them. */
  long events(String channel) throws IOException {
    return count(channel, begin, end);
  }

  /** Reads 1,000 seconds of a channel, other seconds at each call. */
  long shortRange(String channel) throws IOException {
    Instant from = randomInstant();
    return count(channel, from, from.plus(SHORT));
  }

  /** The words of a command that writes 1,000 seconds of a channel as CSV, each time others. */
  String[] shortRangeCommand(String channel) {
    Instant from = randomInstant();
    return new String[] {
      "get", "--from", from.toString(), "--to", from.plus(SHORT).toString(), channel
    };
  }

  /** The words of a command that writes the value held at an instant, each time another. */
  String[] heldCommand(String channel) {
    return new String[] {"get", "--at", randomInstant().toString(), channel};
  }

  private long count(String channel, Instant from, Instant to) throws IOException {
    EventQuery query =
        EventQuery.of(ChannelSelection.names(channel)).between(range(from, to)).allowIncomplete();
    return AnswerRows.count(reader, query, allocator);
  }

  /** Reads the value that a channel held at an instant, another instant at each call. */
  int held(String channel) throws IOException {
    return reader
        .held(HeldQuery.of(ChannelSelection.names(channel), randomInstant()).allowIncomplete())
        .values()
        .size();
  }

  /** Reads the values that channels held at each hour, and returns how many are known. */
  long hourly(List<String> channels) throws IOException {
    ChannelSelection selection = ChannelSelection.names(channels.toArray(String[]::new));
    long known = 0;
    try (GridReader grid =
        reader.grid(GridQuery.of(selection, begin, end, Duration.ofHours(1)).allowIncomplete())) {
      int columns = grid.channels().size();
      while (grid.next()) {
        for (int channel = 0; channel < columns; channel++) {
          known += grid.isKnown(channel) ? 1 : 0;
        }
      }
    }
    return known;
  }

  /**
   * Computes count, least, greatest and mean of a channel of doubles in each hour, from its events.
   *
   * @return how many hours have a value
   */
  int hourlyAggregates(String channel) throws IOException {
    long first = begin.getEpochSecond() * 1_000_000_000L;
    int hours = (int) Duration.between(begin, end).toHours();
    long[] count = new long[hours];
    double[] least = new double[hours];
    double[] greatest = new double[hours];
    double[] sum = new double[hours];
    EventQuery query =
        EventQuery.of(ChannelSelection.names(channel)).between(range(begin, end)).allowIncomplete();
    try (EventCursor events = reader.cursor(query)) {
      while (events.next()) {
        EventColumns columns = events.columns();
        for (int row = events.from(); row < events.to(); row++) {
          if (columns.state[row] == EventState.VALUE_CODE) {
            int hour = (int) ((columns.timeNanos[row] - first) / HOUR_NANOS);
            double value = Double.longBitsToDouble(columns.values[row]);
            least[hour] = count[hour] == 0 ? value : Math.min(least[hour], value);
            greatest[hour] = count[hour] == 0 ? value : Math.max(greatest[hour], value);
            sum[hour] += value;
            count[hour]++;
          }
        }
      }
    }
    int known = 0;
    for (int hour = 0; hour < hours; hour++) {
      known += count[hour] > 0 && sum[hour] / count[hour] >= least[hour] ? 1 : 0;
    }
    return known;
  }

  private Instant randomInstant() {
    long seconds = Duration.between(begin, end).minus(SHORT).toSeconds();
    return begin.plusSeconds(random.nextLong(seconds));
  }

  private static TimeRange range(Instant from, Instant to) {
    return new TimeRange(
        from.getEpochSecond() * 1_000_000_000L, to.getEpochSecond() * 1_000_000_000L);
  }

  @Override
  public void close() throws IOException {
    reader.close();
    allocator.close();
  }
}
