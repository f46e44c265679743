package org.kblake.core.simulate;

import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.kblake.core.log.PairName;
import org.kblake.core.log.RecordEntry;
import org.kblake.core.log.RecordTable;
import org.kblake.core.model.EventState;
import org.kblake.core.model.Group;

/**
 * Small, sound and nasty archives for property tests: whatever the format allows and a reader may
 * get wrong. Nothing is damaged, every pair is closed; equal seeds give equal archives.
 *
 * <p>What comes up: all types, scalars and waveforms of changing length, both byte orders, NaN
 * payloads, -0.0, extremes, strings of full 40 bytes, of invalid UTF-8 and with odd bytes behind
 * the NUL; ids dense and sparse; records that come, go, move and change type, count and id from
 * pair to pair; times equal, out of order, exactly at the disorder bound and strays beyond it;
 * clocks set back; gaps in which the archiver was down; restarts after which milestones know less,
 * milestones that the index does not know, pairs of a single milestone, pairs without a single
 * event, and groups without pairs, or without a line in KEKBLog.list.
 */
public final class RandomArchive {

  /** The zone of every archive's file names. */
  public static final ZoneId ZONE = ZoneId.of("Asia/Tokyo");

  /** The disorder bound that events keep to, or break on purpose. */
  public static final long DISORDER_BOUND_NANOS = TimeUnit.MINUTES.toNanos(10);

  /** The only group of a small archive. */
  public static final Group SMALL_GROUP = new Group("VA", "CCG");

  private static final long EARLIEST_NANOS =
      TimeUnit.SECONDS.toNanos(Instant.parse("2019-12-31T12:00:00Z").getEpochSecond());

  private static final List<Group> GROUPS =
      List.of(
          new Group("BM", "DCCT"),
          new Group("VA", "CCG"),
          new Group("RF", "AnalogData"),
          new Group("Misc", "Base_2"),
          new Group("BT", "BTMagnets"));

  private RandomArchive() {}

  /**
   * What an archive holds.
   *
   * @param pairs group after group, each group's in log order
   * @param silentGroups groups of KEKBLog.list that have no pair
   */
  public record Written(long seed, Path root, List<WrittenPair> pairs, List<Group> silentGroups) {

    /** The pairs of a group in log order. */
    public List<WrittenPair> pairs(Group group) {
      return pairs.stream().filter(pair -> pair.group().equals(group)).toList();
    }

    /** Groups that have pairs. */
    public List<Group> groups() {
      return pairs.stream().map(WrittenPair::group).distinct().toList();
    }

    /** The events of a group in log order. */
    public List<WrittenEvent> events(Group group) {
      return pairs(group).stream().flatMap(pair -> pair.events().stream()).toList();
    }

    /** For messages of failed tests. */
    @Override
    public String toString() {
      return "archive of seed " + seed + " in " + root;
    }
  }

  /**
   * One pair.
   *
   * @param milestones all of the log, in its order
   */
  public record WrittenPair(
      Group group,
      String stamp,
      ByteOrder order,
      RecordTable records,
      List<WrittenEvent> events,
      List<WrittenMilestone> milestones,
      long logBytes) {

    /** Below the archive's root. */
    public Path indexPath() {
      return Path.of(group.system(), new PairName(group.name(), stamp).indexFile());
    }

    /** Below the archive's root. */
    public Path logPath() {
      return Path.of(group.system(), new PairName(group.name(), stamp).logFile());
    }
  }

  /**
   * A milestone in a log.
   *
   * @param inIndex whether the index knows it
   */
  public record WrittenMilestone(long offset, long timeNanos, boolean inIndex) {}

  /**
   * A record's event.
   *
   * @param offset of its first byte in the log
   * @param value its value's bytes in the log, in the pair's byte order; empty where the state is
   *     not value
   */
  public record WrittenEvent(
      RecordEntry record,
      ByteOrder order,
      long offset,
      long timeNanos,
      EventState state,
      int severity,
      int status,
      byte[] value) {

    /** Elements of the value. */
    public int elements() {
      return value.length / record.type().bytes();
    }

    /** The elements of numbers, as {@code EventColumns.values} holds them. */
    public long[] bits() {
      return RandomValues.bits(record.type(), order, value);
    }

    /** The elements of strings: up to the NUL, what is no UTF-8 replaced. */
    public List<String> texts() {
      return RandomValues.texts(value);
    }
  }

  /**
   * Writes an archive.
   *
   * @param root an empty directory, or none yet
   * @return what is in it
   */
  public static Written write(Path root, long seed) throws IOException {
    SplitMix random = new SplitMix(SplitMix.derive(seed, "random archive"));
    List<WrittenPair> pairs = new ArrayList<>();
    List<Group> silent = new ArrayList<>();
    StringBuilder list = new StringBuilder();
    Path lcf = Files.createDirectories(root.resolve("SYS").resolve("LCF"));
    int groups = random.between(1, GROUPS.size());
    int first = random.below(GROUPS.size());
    for (int i = 0; i < groups; i++) {
      Group group = GROUPS.get((first + i) % GROUPS.size());
      List<WrittenPair> written =
          i > 0 && random.chance(0.15)
              ? List.of()
              : writeGroup(root, group, RandomSize.ANY, random);
      pairs.addAll(written);
      if (written.isEmpty()) {
        silent.add(group);
      }
      if (written.isEmpty() || random.chance(0.85)) {
        list.append(group.system()).append(' ').append(group.name()).append('\n');
      }
      if (random.chance(0.2)) {
        list.append('\n');
      }
      if (random.chance(0.8)) {
        Files.writeString(lcf.resolve(group.name() + ".lcf"), names(written));
      }
    }
    Files.writeString(root.resolve("SYS").resolve("KEKBLog.list"), list);
    return new Written(seed, root, List.copyOf(pairs), List.copyOf(silent));
  }

  /**
   * Writes an archive of one group with few events and many milestones, such as hundreds can be
   * read of. Its clocks are set back only in pairs whose index knows all milestones: around others
   * a plan may pass a segment over (docs/format-notes.md, "Milestones that the index does not
   * know").
   *
   * @param root an empty directory, or none yet
   * @return what is in it
   */
  public static Written writeSmall(Path root, long seed) throws IOException {
    SplitMix random = new SplitMix(SplitMix.derive(seed, "small random archive"));
    Path system = Files.createDirectories(root.resolve("SYS"));
    List<WrittenPair> pairs = writeGroup(root, SMALL_GROUP, RandomSize.SMALL, random);
    Files.writeString(
        system.resolve("KEKBLog.list"), SMALL_GROUP.system() + " " + SMALL_GROUP.name() + "\n");
    return new Written(seed, root, List.copyOf(pairs), List.of());
  }

  private static String names(List<WrittenPair> pairs) {
    StringBuilder names = new StringBuilder();
    if (!pairs.isEmpty()) {
      for (RecordEntry entry : pairs.get(pairs.size() - 1).records().entries()) {
        names.append(entry.name()).append(entry.waveform() ? " waveform\n" : "\n");
      }
    }
    return names.append("NEVER:RECORDED\n").toString();
  }

  private static List<WrittenPair> writeGroup(
      Path root, Group group, RandomSize size, SplitMix random) throws IOException {
    List<WrittenPair> pairs = new ArrayList<>();
    long nowNanos = EARLIEST_NANOS + TimeUnit.SECONDS.toNanos(random.below(2 * 86_400));
    RecordTable records = size.records(RandomRecords.first(random));
    int count = random.between(1, 4);
    for (int i = 0; i < count; i++) {
      if (i > 0 && random.chance(0.5)) {
        records = size.records(RandomRecords.changed(records, random));
      }
      if (i > 0 && random.chance(0.3)) {
        nowNanos += TimeUnit.SECONDS.toNanos(random.below(3 * 86_400));
      }
      long beginNanos = i == 0 ? nowNanos : Math.max(nowNanos, after(pairs.get(i - 1)));
      RandomPair pair = new RandomPair(root, group, records, size, random);
      pairs.add(pair.write(beginNanos));
      nowNanos = pair.endNanos();
      touch(root.resolve(pairs.get(i).indexPath()), nowNanos);
      touch(root.resolve(pairs.get(i).logPath()), nowNanos);
    }
    return pairs;
  }

  /** Stamps grow even where the clock was set back. */
  private static long after(WrittenPair pair) {
    PairName name = new PairName(pair.group().name(), pair.stamp());
    return name.beginNanos(ZONE) + TimeUnit.SECONDS.toNanos(1);
  }

  private static void touch(Path file, long nanos) throws IOException {
    Files.setLastModifiedTime(file, FileTime.from(nanos, TimeUnit.NANOSECONDS));
  }
}
