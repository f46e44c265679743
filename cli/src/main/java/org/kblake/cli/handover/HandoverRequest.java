package org.kblake.cli.handover;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.kblake.cli.process.ThisProcess;
import org.kblake.core.internal.log.archive.ArchiveGroups;
import org.kblake.core.model.Group;
import org.kblake.core.model.TimeRange;
import org.kblake.ingest.internal.live.state.BackfillRequest;

/**
 * A request and the process that made it: the one line that this process sends.
 *
 * @param version the version of the format: 1
 * @param what the kind: {@link #BACKFILL}, {@link #RESET_COUNTERS}, {@link #FORGET}, {@link
 *     #FORCED_FORGET}
 * @param host the host of the requesting process
 * @param pid the process ID of this process
 * @param groups the groups as SYSTEM/NAME; empty for all
 * @param fromNanos the begin of the range, nanoseconds since 1970 UTC
 * @param toNanos the end of the range, nanoseconds since 1970 UTC, not included
 * @param ioLimitBytesPerSecond the limit of reads of the archive; 0 for no limit
 */
@JsonIgnoreProperties(ignoreUnknown = true)
public record HandoverRequest(
    int version,
    String what,
    String host,
    long pid,
    List<String> groups,
    long fromNanos,
    long toNanos,
    long ioLimitBytesPerSecond) {

  public static final int VERSION = 1;

  /** The limit of a text, longer than any name. Texts are logged and repeated in the answer. */
  private static final int LONGEST_TEXT = 256;

  /** The kind of a request to put a part of the archive into columns. */
  public static final String BACKFILL = "backfill";

  /** The kind of a request to reset the counters. */
  public static final String RESET_COUNTERS = "reset-counters";

  /** The kind of a request to remove what the store keeps of groups. */
  public static final String FORGET = "forget";

  /** The same, also of a group that may only be away. */
  public static final String FORCED_FORGET = "forced-forget";

  public HandoverRequest {
    what = text(what);
    host = text(host);
    groups = groups == null ? List.of() : groups.stream().map(HandoverRequest::text).toList();
  }

  /**
   * Truncates a text. A field that is missing in the line is null, although its type excludes null.
   */
  private static String text(@Nullable String text) {
    String present = Objects.requireNonNullElse(text, "");
    return present.length() > LONGEST_TEXT ? present.substring(0, LONGEST_TEXT) : present;
  }

  /** Returns a request of this process to reset the counters. */
  public static HandoverRequest resetOfCounters() {
    return ofThisProcess(RESET_COUNTERS, List.of(), new TimeRange(0, 0), 0);
  }

  /** Returns a request of this process to remove what the store keeps of a group. */
  public static HandoverRequest forget(Group group, boolean force) {
    return ofThisProcess(force ? FORCED_FORGET : FORGET, List.of(group), new TimeRange(0, 0), 0);
  }

  private static HandoverRequest ofThisProcess(
      String what, List<Group> groups, TimeRange range, long ioLimitBytesPerSecond) {
    return new HandoverRequest(
        VERSION,
        what,
        ThisProcess.host(),
        ThisProcess.pid(),
        groups.stream().map(Group::toString).toList(),
        range.fromNanos(),
        range.toNanos(),
        ioLimitBytesPerSecond);
  }

  /** Returns whether this is a request to remove what the store keeps of groups. */
  public boolean forgets() {
    return version == VERSION && (what.equals(FORGET) || what.equals(FORCED_FORGET));
  }

  /** Returns whether this is a request to reset the counters. */
  public boolean resetsCounters() {
    return version == VERSION && what.equals(RESET_COUNTERS);
  }

  /** Returns a request of this process for a backfill. */
  public static HandoverRequest of(BackfillRequest backfill) {
    return ofThisProcess(
        BACKFILL, backfill.groups(), backfill.range(), backfill.ioLimitBytesPerSecond());
  }

  /**
   * Returns the requested backfill.
   *
   * @param shown the groups of the archive; a group is accepted if its directory cannot be listed
   * @throws IllegalArgumentException if the request is invalid; the message has the reason
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

  /** Describes the request in a few words: {@code backfill of VA/CCG, RF/AnalogData}. */
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
