package org.kblake.cli.doctor;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.kblake.cli.command.shared.LostEnds;
import org.kblake.cli.command.shared.NewestEvent;
import org.kblake.core.archive.UnavailableException;
import org.kblake.core.internal.log.archive.Archive;
import org.kblake.core.internal.log.archive.ArchiveGroups;
import org.kblake.core.internal.log.file.FileAccess;
import org.kblake.core.internal.log.pair.Pair;
import org.kblake.core.internal.log.pair.PairLog;
import org.kblake.core.internal.log.pair.PendingPairException;
import org.kblake.core.internal.mirror.Mirror;
import org.kblake.core.log.Coverage;
import org.kblake.core.log.PairName;
import org.kblake.core.model.Group;

/** What the newest logs of an archive show. */
final class ArchiveSurvey {

  private static final int NEWEST_PAIRS = 3;

  private static final Coverage NO_COLUMNS = new Coverage(List.of());

  /** Offsets of time zones are multiples of it. */
  private static final long STEP_SECONDS = TimeUnit.MINUTES.toSeconds(15);

  /** A pair whose first milestone is later after its begin shows no zone. */
  private static final long TOLERANCE_SECONDS = TimeUnit.MINUTES.toSeconds(5);

  private final Archive archive;
  private final ArchiveGroups groups;
  private final Map<Group, Integer> channels = new HashMap<>();
  private final List<Pair> newestPairs = new ArrayList<>();
  private final Set<Path> places = new LinkedHashSet<>();
  private final List<String> unread = new ArrayList<>();
  private final Set<String> unresponsive = new HashSet<>();
  private final List<Begin> begins = new ArrayList<>();
  private final LostEnds lostEnds;
  private @Nullable Newest newest;

  /**
   * The newest event of all groups.
   *
   * @param nanos nanoseconds since 1970 UTC
   */
  record Newest(long nanos, Group group) {}

  /**
   * The begin of a pair in its index and in its file name.
   *
   * @param file the log
   * @param nanos the time of its first milestone, nanoseconds since 1970 UTC
   * @param offset the offset from UTC that makes this time that of the name
   */
  record Begin(Path file, long nanos, ZoneOffset offset) {

    boolean isOf(ZoneId zone) {
      return zone.getRules().getOffset(Instant.ofEpochSecond(0, nanos)).equals(offset);
    }
  }

  private ArchiveSurvey(Archive archive, ArchiveGroups groups, @Nullable Mirror mirror) {
    lostEnds = new LostEnds(mirror);
    this.archive = archive;
    this.groups = groups;
  }

  /**
   * Surveys an archive. After a call that did not end in time, its system is not read any more.
   *
   * @param mirror the copies of growing logs; null if there are none
   * @throws UnavailableException if its root cannot be listed
   */
  static ArchiveSurvey of(Archive archive, @Nullable Mirror mirror) throws IOException {
    ArchiveSurvey survey = new ArchiveSurvey(archive, archive.shownGroups(), mirror);
    survey.groups.unlisted().forEach(survey::addUnread);
    survey.addPlace(archive.root());
    for (Group group : survey.groups.groups()) {
      survey.add(group);
    }
    return survey;
  }

  private void addUnread(String system, IOException e) {
    unread.add(String.valueOf(e.getMessage()));
    if (e.getCause() instanceof FileAccess.AccessTimeoutException) {
      unresponsive.add(system);
    }
  }

  private void add(Group group) throws IOException {
    if (unresponsive.contains(group.system())) {
      return;
    }
    try {
      List<Pair> pairs = archive.pairs(group);
      if (pairs.isEmpty()) {
        return;
      }
      addPlace(archive.root().resolve(group.system()));
      Pair last = pairs.get(pairs.size() - 1);
      newestPairs.add(last);
      addPlace(last.logPath());
      boolean found = false;
      for (int i = pairs.size() - 1; i >= Math.max(0, pairs.size() - NEWEST_PAIRS); i--) {
        if (!found || !pairs.get(i).isSuperseded()) {
          found |= add(pairs.get(i));
        }
      }
      boolean readable = true;
      for (int i = pairs.size() - 1; i >= 0 && readable; i--) {
        readable = lostEnds.add(pairs.get(i), Long.MAX_VALUE, NO_COLUMNS);
      }
    } catch (UnavailableException e) {
      addUnread(group.system(), e);
    } catch (InterruptedIOException e) {
      throw e;
    } catch (IOException e) {
      unread.add(String.valueOf(e.getMessage()));
    }
  }

  /** Returns whether the pair has an event. */
  private boolean add(Pair pair) throws IOException {
    PairLog log;
    try {
      log = pair.open();
    } catch (PendingPairException e) {
      return false;
    }
    addBegin(pair, log);
    channels.merge(pair.group(), log.records().size(), Math::max);
    Long nanos = NewestEvent.nanos(log);
    if (nanos == null) {
      return false;
    }
    if (newest == null || nanos > newest.nanos) {
      newest = new Newest(nanos, pair.group());
    }
    return true;
  }

  private void addBegin(Pair pair, PairLog log) {
    PairName name = PairName.ofFile(String.valueOf(pair.logPath().getFileName()));
    long nanos = log.milestones().count() == 0 ? 0 : log.milestones().nanos(0);
    if (name == null || nanos <= 0) {
      return;
    }
    long local = TimeUnit.NANOSECONDS.toSeconds(name.beginNanos(ZoneOffset.UTC));
    long offset = local - TimeUnit.NANOSECONDS.toSeconds(nanos);
    long rounded = Math.round(offset / (double) STEP_SECONDS) * STEP_SECONDS;
    if (Math.abs(offset - rounded) <= TOLERANCE_SECONDS
        && Math.abs(rounded) <= ZoneOffset.MAX.getTotalSeconds()) {
      begins.add(new Begin(pair.logPath(), nanos, ZoneOffset.ofTotalSeconds((int) rounded)));
    }
  }

  private void addPlace(Path path) throws IOException {
    try {
      places.add(archive.access().call(path, path::toRealPath));
    } catch (InterruptedIOException e) {
      throw e;
    } catch (IOException e) {
      // A read of the file reports the error
    }
  }

  Archive archive() {
    return archive;
  }

  ArchiveGroups groups() {
    return groups;
  }

  /** Returns the number of channels of the newest pairs. */
  long channels() {
    return channels.values().stream().mapToLong(Integer::longValue).sum();
  }

  /** Returns the newest pair of each group that has one. */
  List<Pair> newestPairs() {
    return newestPairs;
  }

  /** Returns the real paths of the root, of the systems, and of the newest logs. */
  Set<Path> places() {
    return places;
  }

  /** Returns a line on each directory or pair that cannot be read. */
  List<String> unread() {
    return unread;
  }

  /** Returns lines on logs that have lost their ends. */
  List<String> lostEnds() {
    return lostEnds.lines();
  }

  /** Returns whether each call to the file system ended in time. */
  boolean isResponsive() {
    return unresponsive.isEmpty();
  }

  /** Returns the newest event; null if none was found. */
  @Nullable Newest newest() {
    return newest;
  }

  /** Returns the begins of pairs that show the zone of their names. */
  List<Begin> begins() {
    return begins;
  }
}
