package org.kblake.cli.command.status;

import java.io.IOException;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.kblake.cli.command.shared.JsonText;
import org.kblake.cli.handover.LockHolder;
import org.kblake.cli.run.status.Liveness;
import org.kblake.cli.run.status.RunStatus;
import org.kblake.cli.run.status.StatusFile;
import org.kblake.cli.settings.Settings;
import org.kblake.format.argument.ByteSize;
import org.kblake.format.argument.DurationArgument;

/** The status of the process that writes the store, as text and as JSON. */
final class ProcessReport {

  private final @Nullable RunStatus status;
  private final @Nullable Liveness liveness;
  private final ZoneId zone;
  private final long ageSeconds;
  private final @Nullable LockHolder writer;
  private final @Nullable IOException unread;

  private ProcessReport(
      @Nullable RunStatus status,
      @Nullable IOException unread,
      @Nullable LockHolder writer,
      ZoneId zone,
      Instant now) {
    this.status = status;
    this.unread = unread;
    this.writer = writer;
    this.zone = zone;
    liveness = status == null ? null : Liveness.of(status, now);
    ageSeconds = status == null ? 0 : Math.max(0, Liveness.age(status, now).toSeconds());
  }

  /** Reads the status from the store of the settings, if one is set. */
  static ProcessReport of(Settings settings, Instant now) throws IOException {
    RunStatus status = null;
    IOException unread = null;
    try {
      status = settings.hasStore() ? StatusFile.read(settings.store()) : null;
    } catch (IOException e) {
      unread = e;
    }
    LockHolder writer = settings.hasStore() ? LockHolder.running(settings.store()) : null;
    // The process that wrote the status is not named twice.
    boolean named = status != null && writer != null && status.pid() == writer.pid();
    return new ProcessReport(status, unread, named ? null : writer, settings.outZone(), now);
  }

  /** Returns why the status cannot be read; null if it can. */
  @Nullable String unread() {
    return unread == null ? null : String.valueOf(unread.getMessage());
  }

  /** Returns the problems that the process reports. The list is empty if it does not run. */
  List<String> problems() {
    return status != null && liveness == Liveness.RUNNING ? status.problems() : List.of();
  }

  /** Returns several lines: the process, the time since it runs, its work, and another writer. */
  String text() {
    return process()
        + (writer == null
            ? ""
            : String.format(
                "writer   %s pid=%d since %s%n",
                writer.command(), writer.pid(), time(writer.since().toString())));
  }

  private String process() {
    if (unread != null) {
      return String.format("process  unknown: its status cannot be read%n");
    }
    if (status == null || liveness == null) {
      return String.format(
          writer == null || !writer.isRun()
              ? "process  none has ever run%n"
              : "process  none has ever written its status; the disk of the store may be full%n");
    }
    return switch (liveness) {
      case RUNNING -> running(status);
      case STOPPED -> String.format("process  none, stopped %s%n", time(status.written()));
      case DEAD ->
          String.format(
              "process  none: %s died, last status of %s%n", who(status), time(status.written()));
      case STALE -> String.format("process  silent for %d s: %s%n", ageSeconds, who(status));
    };
  }

  private String running(RunStatus running) {
    Double days = running.figures().daysUntilFull();
    StringBuilder text = new StringBuilder(numbers(running, days));
    for (RunStatus.RequestNumbers request : running.requests()) {
      text.append(
          String.format(
              "request  %s, for host=%s pid=%d: %s%s%n",
              request.what(),
              request.host(),
              request.pid(),
              request.state(),
              request.rawBytes() == 0
                  ? ""
                  : ", "
                      + new ByteSize(request.doneBytes())
                      + " of "
                      + new ByteSize(request.rawBytes())));
    }
    return text.toString();
  }

  private String numbers(RunStatus running, @Nullable Double days) {
    return String.format(
        Locale.ROOT,
        "process  %s since %s%s, status of %d s ago%n"
            + "sealing  %,.0f events/s, %.2f MiB/s; since %s %,d events in %,d blocks%n"
            + "disk     %s free of %s%s%n%s%s",
        who(running),
        time(running.since()),
        running.ready() ? "" : ", groups are not all listed yet",
        ageSeconds,
        running.rates().events(),
        running.rates().rawBytes() / 1048576.0,
        running.countersSince().equals(running.since())
            ? "its begin"
            : time(running.countersSince()),
        running.counters().events(),
        running.counters().blocks(),
        new ByteSize(running.disk().freeBytes()),
        new ByteSize(running.disk().bytes()),
        days == null ? "" : String.format(Locale.ROOT, ", full in %,.0f days", days),
        running.mirrorBytes() == 0
            ? ""
            : String.format("mirror   %s%n", new ByteSize(running.mirrorBytes())),
        running.scrubAgeSeconds() == null
            ? ""
            : String.format(
                "scrub    oldest check of a block %s ago%n",
                DurationArgument.about(running.scrubAgeSeconds())));
  }

  private static String who(RunStatus status) {
    return "host=" + status.host() + " pid=" + status.pid();
  }

  private String time(String instant) {
    return DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss", Locale.ROOT)
        .format(Instant.parse(instant).truncatedTo(ChronoUnit.SECONDS).atZone(zone));
  }

  /**
   * Writes a field {@code process}: null, also if the status file cannot be read, or its content
   * and whether the process is alive. Writes a field {@code writer}: null, or another process that
   * writes the store.
   */
  void write(JsonText json) throws IOException {
    LockHolder other = writer;
    if (other == null) {
      json.field("writer", null);
    } else {
      json.object(
          "writer",
          () -> {
            json.field("what", other.command());
            json.field("pid", other.pid());
            json.field("since", other.since().toString());
          });
    }
    RunStatus said = status;
    Liveness is = liveness;
    if (said == null || is == null) {
      json.field("process", null);
      return;
    }
    json.object(
        "process",
        () -> {
          json.field("is", is.name().toLowerCase(Locale.ROOT));
          json.generator().writeFieldName("says");
          StatusFile.write(said, json.generator());
        });
  }
}
