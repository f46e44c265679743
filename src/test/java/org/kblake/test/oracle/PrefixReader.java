package org.kblake.test.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import org.kblake.core.columns.EventColumns;
import org.kblake.core.model.EventState;
import org.kblake.core.model.Group;
import org.kblake.core.model.TimeRange;
import org.kblake.core.model.ValueType;
import org.kblake.query.ArchiveReader;
import org.kblake.query.EventCursor;
import org.kblake.query.EventFollower;
import org.kblake.query.answer.CoverageSpan;
import org.kblake.query.answer.SpanKind;
import org.kblake.query.question.ChannelSelection;
import org.kblake.query.question.EventQuery;
import org.kblake.query.question.FollowQuery;
import org.kblake.query.question.Source;
import org.kblake.query.question.UnknownChannelException;
import org.kblake.query.question.UnknownGroupException;
import org.kblake.test.fixture.kblog.KblogProcess;
import org.kblake.test.fixture.kblog.KblogProcess.View;

/**
 * Reads everything that a {@link KblogProcess} has written so far. Every answer is a prefix of the
 * log order, or its coverage report names the times of events that are missing before its last
 * event. On a local disk no answer ends before an earlier one, unless it reports something as
 * unavailable.
 */
public final class PrefixReader {

  private static final long LONGEST_FOLLOW_MILLIS = 5_000;
  private static final Duration TIMEOUT = Duration.ofMillis(100);

  private final Path directory;
  private final View view;
  private final String seed;

  /** The last event of any answer, by group. */
  private final Map<Group, Long> given = new ConcurrentHashMap<>();

  private final LongAdder reportedGaps = new LongAdder();

  /**
   * Creates a reader.
   *
   * @param directory the directory of the archives
   * @param seed the seed, for messages
   */
  public PrefixReader(Path directory, View view, String seed) {
    this.directory = directory;
    this.view = view;
    this.seed = seed;
  }

  /** Events that are missing in an answer before later ones. */
  private record Gap(long from, long to) {}

  /** The events read of a group. */
  private static final class Progress {
    private final List<Gap> gaps = new ArrayList<>();
    private long last;

    void take(String what, EventColumns columns, int from, int to) {
      for (int row = from; row < to; row++) {
        long value = columns.state[row] == EventState.VALUE_CODE ? value(columns, row) : 0;
        if (value != last + 1) {
          assertThat(value).as("event behind %d of %s", last, what).isGreaterThan(last);
          gaps.add(new Gap(last + 1, value - 1));
        }
        last = value;
      }
    }
  }

  /**
   * Reads until a writer ends, with a new reader each time or one that stays open. Returns the
   * number of answers.
   */
  public long readBeside(Process writer, SplittableRandom random) throws IOException {
    long answers = 0;
    ArchiveReader kept = open();
    try {
      while (writer.isAlive()) {
        Group group = view.groups().get(random.nextInt(view.groups().size()));
        Source source = Source.values()[random.nextInt(Source.values().length)];
        if (random.nextInt(20) == 0) {
          kept.close();
          kept = open();
        }
        if (random.nextBoolean()) {
          check(kept, group, source);
        } else {
          try (ArchiveReader fresh = open()) {
            check(fresh, group, source);
          }
        }
        answers++;
      }
    } finally {
      kept.close();
    }
    return answers;
  }

  /** Follows one group after the other from its first event until a writer ends. */
  public long followBeside(Process writer, SplittableRandom random) throws Exception {
    long events = 0;
    while (writer.isAlive()) {
      Group group = view.groups().get(random.nextInt(view.groups().size()));
      long end =
          System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(random.nextLong(LONGEST_FOLLOW_MILLIS));
      try (ArchiveReader reader = open()) {
        events += follow(reader, group, end);
      }
    }
    return events;
  }

  private long follow(ArchiveReader reader, Group group, long endNanos) throws Exception {
    Progress progress = new Progress();
    String what = "followed " + group + ", seed " + seed;
    FollowQuery query =
        FollowQuery.of(ChannelSelection.all(group), Instant.EPOCH)
            .includingStrays()
            .polling(TIMEOUT);
    try (EventFollower follower = reader.follow(query)) {
      List<String> notes = new ArrayList<>();
      while (System.nanoTime() - endNanos < 0) {
        if (follower.next(TIMEOUT)) {
          progress.take(what, follower.columns(), follower.from(), follower.to());
        }
        notes.addAll(follower.notes());
        checkGaps(what + ", " + notes, group, progress.gaps, follower.coverage().missing());
      }
    } catch (UnknownChannelException | UnknownGroupException e) {
      // Not even the record table of the first index is visible yet.
      return 0;
    }
    return progress.last;
  }

  /** Returns the number of answers that were no prefix and reported it. */
  public long reportedGaps() {
    return reportedGaps.sum();
  }

  /** Reads all events of a group from all sources. Returns their number. */
  public long all(Group group) throws IOException {
    try (ArchiveReader reader = open()) {
      return check(reader, group, Source.AUTO);
    }
  }

  private ArchiveReader open() throws IOException {
    Path store = view.store(directory);
    Path root = Files.createDirectories(view.archive(directory));
    ArchiveReader.Builder builder = ArchiveReader.builder().archive(root).settings(view.settings());
    if (Files.exists(store.resolve("kblake-store.properties"))) {
      builder.store(store);
    }
    return builder.open();
  }

  private long check(ArchiveReader reader, Group group, Source source) throws IOException {
    long before = given.getOrDefault(group, 0L);
    Progress progress = new Progress();
    String what = source + " of " + group + " in " + view + ", seed " + seed;
    List<CoverageSpan> missing = List.of();
    EventQuery query =
        EventQuery.of(ChannelSelection.all(group))
            .between(TimeRange.ALL)
            .withStrays()
            .from(source)
            .allowIncomplete();
    try (EventCursor cursor = reader.cursor(query)) {
      while (cursor.next()) {
        progress.take(what, cursor.columns(), cursor.from(), cursor.to());
      }
      missing = cursor.coverage().missing();
      checkGaps(what, group, progress.gaps, missing);
    } catch (UnknownChannelException | UnknownGroupException e) {
      // There is no block yet, or not even the record table of the first index is visible.
    }
    if (view == View.LOCAL && source != Source.STORE) {
      if (progress.last < before) {
        missing = missing.stream().filter(span -> span.kind() != SpanKind.PENDING).toList();
        checkGaps(
            what + ", less than before",
            group,
            new ArrayList<>(List.of(new Gap(progress.last + 1, before))),
            missing);
      }
      given.merge(group, progress.last, Math::max);
    }
    return progress.last;
  }

  private void checkGaps(String what, Group group, List<Gap> gaps, List<CoverageSpan> missing)
      throws IOException {
    for (Gap gap : gaps) {
      long number = gap.from;
      for (long nanos : KblogProcess.times(directory, group, gap.from, gap.to)) {
        if (span(missing, nanos) == null) {
          assertThat(missing)
              .as("event %d of %s to %s is missing at %d: %s", number, gap, group, nanos, what)
              .anyMatch(span -> span.range().contains(nanos));
        }
        number++;
      }
      reportedGaps.increment();
    }
    gaps.clear();
  }

  private static @Nullable CoverageSpan span(List<CoverageSpan> spans, long nanos) {
    for (CoverageSpan span : spans) {
      if (span.range().contains(nanos)) {
        return span;
      }
    }
    return null;
  }

  private static long value(EventColumns columns, int row) {
    if (columns.type() == ValueType.STRING) {
      int from = columns.textStarts[row];
      return Long.parseLong(
          new String(
              columns.text, from, columns.textStarts[row + 1] - from, StandardCharsets.UTF_8));
    }
    long bits = columns.values[row];
    return switch (columns.type()) {
      case DOUBLE -> (long) Double.longBitsToDouble(bits);
      case FLOAT -> (long) Float.intBitsToFloat((int) bits);
      case LONG -> bits;
      case STRING, SHORT, ENUM, CHAR -> throw new IllegalStateException("does not count");
    };
  }
}
