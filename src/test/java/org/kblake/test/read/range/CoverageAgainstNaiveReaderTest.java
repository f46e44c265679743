package org.kblake.test.read.range;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.core.internal.fixture.Seeds;
import org.kblake.core.model.TimeRange;
import org.kblake.query.ArchiveReader;
import org.kblake.query.answer.CoverageReport;
import org.kblake.query.answer.CoverageSpan;
import org.kblake.query.answer.SpanKind;
import org.kblake.query.question.ChannelPattern;
import org.kblake.query.question.ChannelSelection;
import org.kblake.query.question.EventQuery;
import org.kblake.query.question.UnknownChannelException;
import org.kblake.test.fixture.OccurrenceCount;
import org.kblake.test.fixture.archive.RandomArchive;
import org.kblake.test.fixture.archive.TroubledArchive;
import org.kblake.test.oracle.AnswerLines;
import org.kblake.test.oracle.NaiveCoverage;

/**
 * Compares coverage reports with {@link NaiveCoverage} on random archives with trouble: pauses,
 * crashes, damage, offline volumes, unreadable pairs, channels that appear and disappear. The
 * reports are those of reads of raw logs and of columns. Each kind of span occurs.
 */
final class CoverageAgainstNaiveReaderTest {

  /** With this number of archives, even the rare kinds of trouble occur with nearly any seed. */
  private static final int ARCHIVES = Seeds.cases(25, 60);

  private static final int QUESTIONS = 12;
  private static final long FAR_NANOS = 4_000_000_000_000_000_000L;

  @TempDir Path directory;

  private final OccurrenceCount occurrences = new OccurrenceCount();
  private Random random = new Random(0);

  @Test
  void reportsAgreeWithTheBytes() throws Exception {
    Seeds.each("coverage", ARCHIVES, this::check);
    occurrences.print("coverage");
    for (String source : List.of("raw ", "stored ")) {
      for (SpanKind kind : SpanKind.values()) {
        occurrences.require(source + kind, ARCHIVES / 8);
      }
      occurrences.require(source + "questions", 4L * ARCHIVES);
      occurrences.require(source + "not listed", 1);
    }
    for (TroubledArchive.Trouble trouble : TroubledArchive.Trouble.values()) {
      occurrences.require(trouble.name(), 1);
    }
  }

  /** The newest log of this archive was cut inside its first milestone, and columns have it all. */
  @Test
  void columnsOfALogThatEndsInsideAMilestoneAreRead() throws Exception {
    check(245275203);
  }

  private void check(long seed) throws Exception {
    random = new Random(~seed);
    TroubledArchive archive = TroubledArchive.write(directory.resolve("seed" + seed), seed, random);
    if (archive.indexLeadsEverywhere()) {
      archive.troubles().forEach(trouble -> occurrences.add(trouble.name()));
      List<EventQuery> queries = new ArrayList<>();
      for (int i = 0; i < QUESTIONS; i++) {
        queries.add(randomQuery(archive));
      }
      compare(archive, queries, false);
      compare(archive, queries, true);
    }
    archive.delete();
  }

  private void compare(TroubledArchive archive, List<EventQuery> queries, boolean stored)
      throws IOException {
    List<NaiveCoverage.Pair> pairs = archive.pairs(stored);
    try (ArchiveReader reader = archive.open(stored)) {
      for (EventQuery query : queries) {
        long before = nowNanos();
        CoverageReport report;
        try {
          report = AnswerLines.read(reader, query).coverage();
        } catch (UnknownChannelException e) {
          occurrences.add("unknown channels");
          continue;
        }
        List<NaiveCoverage.Span> spans = spans(report);
        NaiveCoverage naive =
            NaiveCoverage.of(
                pairs,
                archive.isListed(),
                query.range(),
                names(query, archive),
                RandomArchive.DISORDER_BOUND_NANOS,
                nowOfAnswer(spans, before));
        assertThat(spans)
            .as("stored=%s, %s, %s, now=%s", stored, archive, query, before)
            .isEqualTo(naive.spans());
        assertThat(report.strays())
            .as("strays, stored=%s, %s, %s", stored, archive, query)
            .isEqualTo(naive.strays());
        occurrences.add((stored ? "stored " : "raw ") + "questions");
        if (!archive.isListed()) {
          occurrences.add((stored ? "stored " : "raw ") + "not listed");
        }
        spans.forEach(span -> occurrences.add((stored ? "stored " : "raw ") + span.kind()));
      }
    }
  }

  private static long nowNanos() {
    return ChronoUnit.NANOS.between(Instant.EPOCH, Instant.now());
  }

  /**
   * Returns the instant that the answer used as the present. It lies between the question and the
   * answer.
   */
  private static long nowOfAnswer(List<NaiveCoverage.Span> spans, long beforeNanos) {
    long after = nowNanos();
    for (NaiveCoverage.Span span : spans) {
      if (span.fromNanos() >= beforeNanos && span.fromNanos() <= after) {
        return span.fromNanos();
      }
    }
    return after;
  }

  private static List<NaiveCoverage.Span> spans(CoverageReport report) {
    List<NaiveCoverage.Span> spans = new ArrayList<>();
    for (CoverageSpan reported : report.spans()) {
      NaiveCoverage.Span last = spans.isEmpty() ? null : spans.get(spans.size() - 1);
      long from = reported.range().fromNanos();
      if (last != null && last.kind() == reported.kind() && last.missing() == reported.missing()) {
        assertThat(last.toNanos()).isEqualTo(from);
        from = last.fromNanos();
        spans.remove(spans.size() - 1);
      }
      spans.add(
          new NaiveCoverage.Span(
              reported.kind(), reported.missing(), from, reported.range().toNanos()));
    }
    return spans;
  }

  private static Set<String> names(EventQuery query, TroubledArchive archive) {
    Set<String> names = new LinkedHashSet<>();
    for (ChannelPattern pattern : query.channels().patterns()) {
      names.addAll(
          pattern.kind() == ChannelPattern.Kind.GLOB ? archive.names() : List.of(pattern.text()));
    }
    return names;
  }

  private EventQuery randomQuery(TroubledArchive archive) {
    ChannelSelection channels = ChannelSelection.all(RandomArchive.SMALL_GROUP);
    if (!archive.names().isEmpty() && random.nextInt(3) > 0) {
      channels = ChannelSelection.of(List.of()).in(RandomArchive.SMALL_GROUP);
      for (int i = random.nextInt(3); i >= 0; i--) {
        List<String> names = archive.names();
        channels = channels.and(ChannelPattern.knownName(names.get(random.nextInt(names.size()))));
      }
    }
    long[] ends = {randomTime(archive), randomTime(archive)};
    Arrays.sort(ends);
    if (random.nextInt(4) == 0) {
      ends[1] = ends[0] + random.nextLong(1 + (long) 1e10);
    }
    if (random.nextInt(8) == 0) {
      ends[1] = FAR_NANOS;
    }
    return EventQuery.of(channels)
        .between(new TimeRange(ends[0], Math.max(ends[0] + 1, ends[1])))
        .allowIncomplete();
  }

  /** Returns a random time, or one at or beside a time of the log. */
  private long randomTime(TroubledArchive archive) {
    List<Long> times = archive.times();
    if (random.nextInt(3) == 0) {
      return times.get(random.nextInt(times.size())) - 1 + random.nextInt(3);
    }
    long first = times.get(0);
    long span = times.get(times.size() - 1) - first;
    return first - span / 5 - 1 + random.nextLong(span + 2 * (span / 5) + 2);
  }
}
