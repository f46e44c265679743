package org.kblake.test.live.mirror;

import static org.assertj.core.api.Assertions.assertThat;
import static org.kblake.test.fixture.Await.await;
import static org.kblake.test.fixture.service.FollowServiceFixture.GROUP;

import java.io.IOException;
import java.nio.file.Files;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.kblake.core.internal.log.file.LogCopy;
import org.kblake.core.internal.log.pair.Pair;
import org.kblake.core.internal.mirror.Mirror;
import org.kblake.core.log.LogWriter;
import org.kblake.core.model.Group;
import org.kblake.core.model.TimeRange;
import org.kblake.ingest.internal.live.state.CacheSettings;
import org.kblake.ingest.internal.live.state.FollowSettings;
import org.kblake.query.ArchiveReader;
import org.kblake.query.answer.SpanKind;
import org.kblake.query.question.ChannelSelection;
import org.kblake.query.question.EventQuery;
import org.kblake.test.fixture.UnforcedFiles;
import org.kblake.test.fixture.service.FollowServiceFixture;
import org.kblake.test.fixture.service.FollowedArchive;
import org.kblake.test.oracle.AnswerLines;

/** Groups that only the mirror has: they have no block yet, and their volume is unavailable. */
final class MirrorOfAwayGroupTest extends FollowedArchive {

  private static final Group OTHER = new Group("VA", "IPump");
  private static final long WEEK_NANOS = TimeUnit.DAYS.toNanos(7);

  @BeforeEach
  void mirrorTwoGroups() throws Exception {
    for (Group group : List.of(GROUP, OTHER)) {
      try (LogWriter writer = live.pair(group, 0)) {
        live.segment(writer, 0, 100);
        live.segment(writer, 3000, 100);
      }
    }
    start(Map.of());
    for (Group group : List.of(GROUP, OTHER)) {
      Pair pair = live.archive.pairs(group).get(0);
      await("the copy", () -> copied(pair) == Files.size(pair.logPath()));
    }
    live.stop();
    // An empty directory, like the mount point of a volume that is not mounted.
    Files.move(live.root, directory.resolve("away"));
    Files.createDirectory(live.root);
  }

  /** Starts a process that makes no blocks. */
  private void start(Map<Group, CacheSettings.Mode> modes) throws IOException {
    FollowSettings eager = FollowServiceFixture.eager(CacheSettings.EVERYTHING);
    FollowSettings settings =
        new FollowSettings(
            List.of(),
            eager.poll(),
            Duration.ofDays(1),
            Long.MAX_VALUE,
            0,
            Duration.ofDays(1),
            1,
            32 << 20,
            0,
            Duration.ZERO,
            eager.profile(),
            null,
            new CacheSettings(
                0,
                0,
                CacheSettings.Eviction.LEAST_RECENTLY_USED,
                false,
                CacheSettings.Mode.FOLLOW,
                modes),
            directory.resolve("mirror"));
    live.start(live.archive, settings, new UnforcedFiles(), Clock.systemUTC());
  }

  private Mirror mirror() {
    return Objects.requireNonNull(Mirror.of(live.storePath));
  }

  private long copied(Pair pair) {
    Mirror mirror = Mirror.of(live.storePath);
    LogCopy copy = mirror == null ? null : mirror.copy(pair.group(), pair.stamp());
    return copy == null ? 0 : copy.endOffset();
  }

  private AnswerLines.Lines answer(long fromNanos, long toNanos) throws IOException {
    try (ArchiveReader reader =
        ArchiveReader.builder().archive(live.root).store(live.storePath).open()) {
      return AnswerLines.read(
          reader,
          EventQuery.of(ChannelSelection.all(GROUP))
              .between(new TimeRange(fromNanos, toNanos))
              .allowIncomplete());
    }
  }

  @Test
  void timesBeforeTheMirroredPairAreUnavailable() throws Exception {
    long begin = live.nanos(0);
    AnswerLines.Lines week = answer(begin - WEEK_NANOS, live.nanos(1000));
    assertThat(week.events()).hasSize(101);
    assertThat(week.coverage().missing())
        .singleElement()
        .satisfies(
            span -> {
              assertThat(span.kind()).isEqualTo(SpanKind.UNAVAILABLE);
              assertThat(span.range()).isEqualTo(new TimeRange(begin - WEEK_NANOS, begin));
              assertThat(span.detail()).contains("group is away: group=VA/CCG");
            });
    assertThat(answer(begin, live.nanos(1000)).coverage().missing()).isEmpty();
  }

  /** Copies are removed only for groups that are not followed any more. */
  @Test
  void processThatBeginsBesideAnEmptyRootKeepsTheCopies() throws Exception {
    start(Map.of(OTHER, CacheSettings.Mode.NEVER));
    await("the end of the copy", () -> mirror().stamps(OTHER).isEmpty());
    assertThat(mirror().stamps(GROUP)).hasSize(1);
    assertThat(answer(live.nanos(0), live.nanos(1000)).events()).hasSize(101);
  }
}
