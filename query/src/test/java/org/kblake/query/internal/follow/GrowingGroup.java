package org.kblake.query.internal.follow;

import static org.kblake.query.internal.fixture.SmallArchive.GROUP;
import static org.kblake.query.internal.fixture.SmallArchive.SECOND;
import static org.kblake.query.internal.fixture.SmallArchive.at;
import static org.kblake.query.internal.fixture.SmallArchive.value;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.core.archive.ArchiveSettings;
import org.kblake.core.archive.TailRule;
import org.kblake.core.log.LogWriter;
import org.kblake.core.metadata.Aliases;
import org.kblake.core.model.TimeRange;
import org.kblake.query.internal.catalog.PairCatalog;
import org.kblake.query.internal.fixture.SmallArchive;
import org.kblake.query.internal.plan.Planner;
import org.kblake.query.question.ChannelSelection;
import org.kblake.query.question.FollowQuery;

/**
 * A group that grows while it is followed. The test sets the time. A pair that is not the newest
 * and has not changed for a minute is complete.
 */
abstract class GrowingGroup {

  static final TimeRange ALWAYS = new TimeRange(at(-10_000), Long.MAX_VALUE);

  @TempDir Path directory;

  SmallArchive archive = new SmallArchive(Path.of("unset"));
  final List<LogWriter> writers = new ArrayList<>();
  @Nullable FollowSession following;
  long nowNanos = 1_000 * SECOND;
  private int changes;

  @BeforeEach
  void make() {
    archive =
        new SmallArchive(directory)
            .with(ArchiveSettings.defaults().withTail(TailRule.FINAL).withSettleNanos(0));
  }

  @AfterEach
  void close() throws IOException {
    if (following != null) {
      following.close();
    }
    for (LogWriter writer : writers) {
      writer.close();
    }
  }

  /** Begins a pair that grows. */
  LogWriter begin(long minute, String... channels) throws IOException {
    LogWriter writer = archive.begin(minute, channels);
    writers.add(writer);
    writer.milestone(at((double) minute));
    writer.flush();
    advanceDirectoryTime();
    return writer;
  }

  /** Writes an event of the first channel. Its value is its minute. */
  static void write(LogWriter writer, double minute) throws IOException {
    value(writer, 0, minute, minute);
    writer.flush();
  }

  /** Changes the directory's time, even if the file system's clock has not advanced. */
  void advanceDirectoryTime() throws IOException {
    FileTime time = FileTime.fromMillis(1_600_000_000_000L + 1_000L * changes++);
    Files.setLastModifiedTime(archive.log(0).getParent(), time);
  }

  static void age(Path file, long seconds) throws IOException {
    Files.setLastModifiedTime(file, FileTime.from(Instant.now().minusSeconds(seconds)));
  }

  void quiet(long minute) throws IOException {
    age(archive.index(minute), 61);
    age(archive.log(minute), 61);
  }

  FollowSession following() {
    FollowSession open = following;
    if (open == null) {
      throw new IllegalStateException("not followed yet");
    }
    return open;
  }

  void follow() throws IOException {
    follow(FollowQuery.of(ChannelSelection.all(GROUP), Instant.EPOCH).from(ALWAYS.fromNanos()));
  }

  void follow(FollowQuery query) throws IOException {
    PairCatalog catalog = archive.catalog();
    Planner planner = SmallArchive.planner(catalog);
    FollowedChannels channels =
        new FollowedChannels(query.channels().patterns(), List.of(), group -> Aliases.NONE);
    FollowSession opened =
        new FollowSession(query, catalog, SmallArchive.readings(planner), channels);
    following = opened;
    opened.add(planner.plan(GROUP, query.scope(), ALWAYS, at(10_000)));
  }

  /** Polls and returns the new values. */
  List<Double> poll() throws IOException {
    return poll(1);
  }

  /** Polls this many seconds later and returns the new values. */
  List<Double> poll(long seconds) throws IOException {
    nowNanos += seconds * SECOND;
    FollowedGroupSource group = following().groups().get(0);
    group.poll(nowNanos);
    List<Double> values = new ArrayList<>();
    while (group.next()) {
      for (int row = group.from(); row < group.to(); row++) {
        values.add(Double.longBitsToDouble(group.columns().values[row]));
      }
    }
    return values;
  }

  List<String> notes() {
    return following().notes().take();
  }
}
