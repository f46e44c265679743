package org.kblake.cli.handover;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.kblake.cli.process.ThisProcess;
import org.kblake.core.internal.log.archive.ArchiveGroups;
import org.kblake.core.model.Group;
import org.kblake.core.model.TimeRange;
import org.kblake.ingest.internal.live.state.BackfillRequest;

/**
 * What is requested, and by whom: the content of a file {@code NAME.request.json}.
 *
 * @param version of this account: 1
 * @param what {@link #BACKFILL}, {@link #RESET_COUNTERS}
 * @param host where the process runs that asks
 * @param pid its number there
 * @param since when it began, ISO 8601 in UTC
 * @param groups SYSTEM/NAME of each; none for all
 * @param fromNanos from when
 * @param toNanos up to when
 * @param ioLimitBytesPerSecond of archive reads; 0 for none
 */
@JsonIgnoreProperties(ignoreUnknown = true)
public record HandoverRequest(
    int version,
    String what,
    String host,
    long pid,
    String since,
    List<String> groups,
    long fromNanos,
    long toNanos,
    long ioLimitBytesPerSecond) {

  public static final int VERSION = 1;

  /** More than any name has; it is logged, and said again in the answer. */
  private static final int LONGEST_TEXT = 256;

  /** Put a part of the archive into columns. */
  public static final String BACKFILL = "backfill";

  /** Have counters begin at nothing. */
  public static final String RESET_COUNTERS = "reset-counters";

  public HandoverRequest {
    what = text(what);
    host = text(host);
    since = text(since);
    groups = groups == null ? List.of() : groups.stream().map(HandoverRequest::text).toList();
  }

  /** A field that the file does not have is null, whatever is said here. */
  private static String text(@Nullable String text) {
    String said = Objects.requireNonNullElse(text, "");
    return said.length() > LONGEST_TEXT ? said.substring(0, LONGEST_TEXT) : said;
  }

  /** That counters are set back, requested by this process. */
  public static HandoverRequest resetOfCounters() {
    return new HandoverRequest(
        VERSION,
        RESET_COUNTERS,
        ThisProcess.host(),
        ThisProcess.pid(),
        ThisProcess.since().toString(),
        List.of(),
        0,
        0,
        0);
  }

  /** Whether counters are to be set back. */
  public boolean resetsCounters() {
    return version == VERSION && what.equals(RESET_COUNTERS);
  }

  /** A backfill, requested by this process. */
  public static HandoverRequest of(BackfillRequest backfill) {
    return new HandoverRequest(
        VERSION,
        BACKFILL,
        ThisProcess.host(),
        ThisProcess.pid(),
        ThisProcess.since().toString(),
        backfill.groups().stream().map(Group::toString).toList(),
        backfill.range().fromNanos(),
        backfill.range().toNanos(),
        backfill.ioLimitBytesPerSecond());
  }

  /**
   * The backfill that is requested.
   *
   * @param shown groups of the archive; one whose directory cannot be listed may be there
   * @throws IllegalArgumentException saying what makes no sense
   */
  public BackfillRequest backfill(ArchiveGroups shown) {
    if (version != VERSION || !what.equals(BACKFILL)) {
      throw new IllegalArgumentException(
          "request is unknown: version=" + version + ", what=" + what);
    }
    List<Group> wanted = groups.stream().map(Group::parse).distinct().toList();
    for (Group group : wanted) {
      if (!shown.groups().contains(group) && !shown.unlisted().containsKey(group.system())) {
        throw new IllegalArgumentException("no such group in the archive: " + group);
      }
    }
    if (fromNanos >= toNanos) {
      throw new IllegalArgumentException("range is empty: from=" + fromNanos + ", to=" + toNanos);
    }
    return new BackfillRequest(wanted, new TimeRange(fromNanos, toNanos), ioLimitBytesPerSecond);
  }

  /** Whether the requesting process has certainly ended: known on its own host only. */
  public boolean orphaned() {
    try {
      return host.equals(ThisProcess.host())
          && ThisProcess.seesOthers()
          && !ThisProcess.lives(pid, Instant.parse(since));
    } catch (DateTimeException e) {
      return true;
    }
  }

  /** A few words: {@code backfill of VA/CCG, RF/AnalogData}. */
  public String words() {
    if (!what.equals(BACKFILL)) {
      return what;
    }
    int shown = Math.min(3, groups.size());
    String some = String.join(", ", groups.subList(0, shown));
    return what
        + " of "
        + (groups.isEmpty() ? "all groups" : some)
        + (groups.size() > shown ? " and " + (groups.size() - shown) + " more" : "");
  }
}
