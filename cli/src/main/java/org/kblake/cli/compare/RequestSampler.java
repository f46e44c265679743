package org.kblake.cli.compare;

import java.io.IOException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import org.kblake.core.internal.log.archive.Archive;
import org.kblake.core.internal.log.pair.Pair;
import org.kblake.core.model.Group;
import org.kblake.core.model.TimeRange;
import org.kblake.query.ArchiveReader;
import org.kblake.query.answer.ChannelInfo;
import org.kblake.query.question.ChannelSelection;

/**
 * Generates requests with groups, records, ranges and formats of an archive. The same seed gives
 * the same requests.
 */
public final class RequestSampler {

  private static final long SECOND = 1_000_000_000L;
  private static final long[] LENGTHS = {0, 1, 60, 600, 3_600, 86_400};
  private static final int[] STEPS = {1, 7, 60, 600};
  private static final int MAX_RECORDS = 5;
  private static final int MAX_POINTS = 100_000;

  private final Archive archive;
  private final ArchiveReader reader;
  private final SplittableRandom random;

  public RequestSampler(Archive archive, ArchiveReader reader, long seed) {
    this.archive = archive;
    this.reader = reader;
    random = new SplittableRandom(seed);
  }

  /**
   * Returns the next request as a command line. It has no records and times if the group has no
   * pair.
   *
   * @param groups the groups to choose one of
   */
  public List<String> next(List<Group> groups) throws IOException {
    Group group = groups.get(random.nextInt(groups.size()));
    List<Pair> pairs = archive.pairs(group);
    List<String> words = new ArrayList<>();
    if (!pairs.isEmpty()) {
      Pair pair = pairs.get(random.nextInt(pairs.size()));
      long from = pair.beginNanos() / SECOND;
      long to = Math.min(pair.endNanos(), latest(group, pair)) / SECOND;
      long start = from + random.nextLong(Math.max(1, to - from));
      addRecords(group, start * SECOND, words);
      words.add("-t");
      words.add(times(start));
    }
    words.add("-f");
    words.add(random.nextInt(3) == 0 ? "kaleida" : "free");
    words.add(group.toString());
    return words;
  }

  private long latest(Group group, Pair pair) throws IOException {
    return Math.max(pair.beginNanos() + SECOND, reader.latestEvent(group).orElse(0));
  }

  private void addRecords(Group group, long nanos, List<String> words) throws IOException {
    List<ChannelInfo> channels =
        reader.channels(ChannelSelection.all(group), new TimeRange(nanos, nanos + 1));
    StringBuilder names = new StringBuilder();
    for (int left = 1 + random.nextInt(MAX_RECORDS); left > 0 && !channels.isEmpty(); left--) {
      names.append(names.isEmpty() ? "" : ",");
      names.append(channels.get(random.nextInt(channels.size())).channel().name());
    }
    if (!names.isEmpty()) {
      words.add("-r");
      words.add(names.toString());
    }
  }

  private String times(long start) {
    long length = LENGTHS[random.nextInt(LENGTHS.length)];
    if (random.nextInt(8) == 0) {
      return stamp(start);
    }
    int step = STEPS[random.nextInt(STEPS.length)];
    boolean grid = random.nextBoolean() && length / step < MAX_POINTS;
    return stamp(start) + "-" + stamp(start + length) + (grid ? "d" + step : "");
  }

  private String stamp(long second) {
    ZoneId zone = archive.settings().zone();
    LocalDateTime time = LocalDateTime.ofInstant(Instant.ofEpochSecond(second), zone);
    return String.format(
        Locale.ROOT,
        "%04d%02d%02d%02d%02d%02d",
        time.getYear(),
        time.getMonthValue(),
        time.getDayOfMonth(),
        time.getHour(),
        time.getMinute(),
        time.getSecond());
  }
}
