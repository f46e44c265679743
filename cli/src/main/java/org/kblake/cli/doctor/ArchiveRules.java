package org.kblake.cli.doctor;

import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.kblake.cli.check.Severity;
import org.kblake.format.argument.DurationArgument;
import org.kblake.query.answer.Losses;

/** The rules for the contents of an archive. */
final class ArchiveRules {

  private static final String ARCHIVE = "archive";
  private static final String ZONE = "zone";
  private static final String CLOCK = "clock";

  /** Clocks of recorders differ by less. */
  private static final long AHEAD_SECONDS = 60;

  private static final DateTimeFormatter SECONDS =
      DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss");

  private ArchiveRules() {}

  /** The archive is not named. */
  static Diagnosis notSet(List<Path> found) {
    return Diagnosis.problem(
        ARCHIVE,
        "none is named",
        found.isEmpty()
            ? "kblake doctor --archive DIR, the directory that has SYS/KEKBLog.list"
            : "kblake doctor --init --archive " + found.get(0) + ", which has SYS/KEKBLog.list");
  }

  /**
   * Judges the groups and the newest event.
   *
   * @param nearby directories near the archive that have a list of groups
   * @param zone the zone of printed times
   */
  static Diagnosis contents(ArchiveSurvey survey, List<Path> nearby, Instant now, ZoneId zone) {
    String root = survey.archive().root().toString();
    int groups = survey.groups().groups().size();
    if (groups == 0) {
      return Diagnosis.problem(
          ARCHIVE,
          root
              + " is no archive: no SYS/KEKBLog.list and no logs"
              + (survey.unread().isEmpty() ? "" : "; " + survey.unread().get(0)),
          nearby.isEmpty()
              ? "name the directory that has SYS/KEKBLog.list: --archive DIR"
              : "did you mean --archive " + nearby.get(0) + "?");
    }
    String found = root + ": " + groups + (groups == 1 ? " group" : " groups");
    ArchiveSurvey.Newest newest = survey.newest();
    if (newest != null) {
      Instant time = Instant.ofEpochSecond(0, newest.nanos());
      found +=
          ", newest event %s%s (%s)"
              .formatted(SECONDS.format(time.atZone(zone)), age(time, now), newest.group());
    }
    if (!survey.unread().isEmpty()) {
      int more = survey.unread().size() - 1;
      return new Diagnosis(
          ARCHIVE,
          newest == null ? Severity.CRITICAL : Severity.WARNING,
          found + "; " + survey.unread().get(0) + (more == 0 ? "" : ", and " + more + " more"),
          "answers lack what cannot be read; check permissions and volumes");
    }
    if (newest == null) {
      return Diagnosis.problem(
          ARCHIVE, found + ", no event in their newest logs", "mount the volumes of the logs");
    }
    if (!survey.lostEnds().isEmpty()) {
      return Diagnosis.warning(
          ARCHIVE,
          found + "; " + String.join("; ", survey.lostEnds()),
          "answers lack what no column has of these logs");
    }
    return survey.groups().notes().isEmpty()
        ? Diagnosis.ok(ARCHIVE, found)
        : Diagnosis.warning(
            ARCHIVE,
            found + "; " + survey.groups().notes().get(0),
            "kblake finds groups by their logs, too; correct the list");
  }

  private static String age(Instant time, Instant now) {
    long seconds = now.getEpochSecond() - time.getEpochSecond();
    return seconds < 0 ? "" : ", " + DurationArgument.about(seconds) + " ago";
  }

  /**
   * Compares the zone with the names of the newest logs.
   *
   * @param name the zone as it is written
   */
  static Diagnosis zone(ArchiveSurvey survey, ZoneId zone, String name, String source) {
    List<ArchiveSurvey.Begin> others =
        survey.begins().stream().filter(begin -> !begin.isOf(zone)).toList();
    String written = name + " (" + source + ")";
    if (survey.begins().isEmpty()) {
      return Diagnosis.unknown(ZONE, written + ": no log shows the zone of its name");
    }
    if (others.size() * 2 <= survey.begins().size()) {
      return Diagnosis.ok(ZONE, written + " agrees with the names of the newest logs");
    }
    ArchiveSurvey.Begin other = others.get(0);
    Instant time = Instant.ofEpochSecond(0, other.nanos());
    return Diagnosis.problem(
        ZONE,
        "%s is wrong: %s began %s UTC, its name has UTC%s"
            .formatted(
                written,
                other.file().getFileName(),
                SECONDS.format(time.atOffset(ZoneOffset.UTC)),
                other.offset().getTotalSeconds() == 0 ? "" : other.offset().getId()),
        "set zone to one with this offset" + suggestion(survey));
  }

  private static String suggestion(ArchiveSurvey survey) {
    String fitting = fitting(survey);
    return fitting == null ? "" : ": zone = \"" + fitting + "\"";
  }

  /**
   * Returns a zone that agrees with the names of most of the newest logs; null if none shows it.
   */
  static @Nullable String fitting(ArchiveSurvey survey) {
    if (survey.begins().isEmpty()) {
      return null;
    }
    for (String name : List.of("Asia/Tokyo", ZoneId.systemDefault().getId(), "UTC")) {
      ZoneId zone = ZoneId.of(name);
      long same = survey.begins().stream().filter(begin -> begin.isOf(zone)).count();
      if (same * 2 >= survey.begins().size()) {
        return name;
      }
    }
    return survey.begins().get(0).offset().getId();
  }

  /**
   * Judges what recorders stated in the last day; null if the archive has no ledger.
   *
   * @param zone the zone of printed times
   */
  static @Nullable Diagnosis losses(Losses losses, ZoneId zone) {
    if (!losses.hasLedger()) {
      return null;
    }
    String summary = losses.summary();
    if (summary == null) {
      return Diagnosis.ok("ledger", "no loss is stated of the last day");
    }
    long last = losses.spans().stream().mapToLong(span -> span.range().toNanos()).max().orElse(0);
    Instant end = Instant.ofEpochSecond(0, last);
    return Diagnosis.warning(
        "ledger",
        "of the last day: %s, the last until %s"
            .formatted(summary, SECONDS.format(end.atZone(zone))),
        "kblake coverage shows the spans, docs/record.md what to do");
  }

  /**
   * Judges the clock.
   *
   * @param newest the newest event; null if there is none
   * @param synchronised whether the system reports a synchronised clock; null if it is not known
   */
  static Diagnosis clock(
      ArchiveSurvey.@Nullable Newest newest, Instant now, @Nullable Boolean synchronised) {
    if (newest != null) {
      long ahead = TimeUnit.NANOSECONDS.toSeconds(newest.nanos()) - now.getEpochSecond();
      if (ahead > AHEAD_SECONDS) {
        return Diagnosis.warning(
            CLOCK,
            "the newest event (%s) is %s in the future"
                .formatted(newest.group(), DurationArgument.about(ahead)),
            "set this machine's clock, or that of the recorder: timedatectl, chronyc tracking");
      }
    }
    if (synchronised == null) {
      return Diagnosis.unknown(
          CLOCK,
          (newest == null ? "" : "no event in the future; ")
              + "timedatectl does not tell whether it is synchronised");
    }
    return synchronised
        ? Diagnosis.ok(CLOCK, "synchronised" + (newest == null ? "" : ", no event in the future"))
        : Diagnosis.warning(
            CLOCK,
            "not synchronised",
            "ages of events and kblake check stale are wrong by its error: start chrony or"
                + " systemd-timesyncd");
  }
}
