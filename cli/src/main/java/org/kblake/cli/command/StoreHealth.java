package org.kblake.cli.command;

import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.kblake.cli.check.Health;
import org.kblake.cli.frame.Session;
import org.kblake.cli.run.Liveness;
import org.kblake.cli.run.RunSetting;
import org.kblake.cli.run.RunSettings;
import org.kblake.cli.run.RunStatus;
import org.kblake.cli.run.StatusFile;
import org.kblake.core.log.Archive;
import org.kblake.core.model.Group;
import org.kblake.ingest.live.CacheSettings.Mode;

/** Finds the numbers for a check: those of a living process, else those of archive and store. */
final class StoreHealth {

  private final Session session;

  StoreHealth(Session session) {
    this.session = session;
  }

  Health find() throws IOException {
    RunStatus status = StatusFile.read(session.settings().store());
    if (status == null) {
      return surveyed("no process has ever run on this store", Map.of());
    }
    Instant now = session.now();
    String who = "host=" + status.host() + " pid=" + status.pid();
    return switch (Liveness.of(status, now)) {
      case RUNNING -> said(status);
      case STOPPED -> surveyed("process was stopped at " + status.written(), modes(status));
      case DEAD ->
          surveyed(
              "process is dead: " + who + ", last heard of at " + status.written(), modes(status));
      case STALE ->
          surveyed(
              "process is silent since " + Liveness.age(status, now).toSeconds() + " s: " + who,
              modes(status));
    };
  }

  private static Health said(RunStatus status) {
    RunStatus.GroupNumbers worst =
        status.groups().stream()
            .max(Comparator.comparingLong(RunStatus.GroupNumbers::lagSeconds))
            .orElse(null);
    long covered = 0;
    long pending = 0;
    for (RunStatus.GroupNumbers group : status.groups()) {
      if (group.followed()) {
        covered += group.coveredBytes();
        pending += group.pendingBytes();
      }
    }
    boolean ready = status.ready() && worst != null;
    Double days = status.daysUntilFull();
    return new Health(
        null,
        status.problems().size(),
        status.problems().isEmpty() ? null : status.problems().get(0),
        worst == null ? null : worst.group(),
        ready ? Long.valueOf(Objects.requireNonNull(worst).lagSeconds()) : null,
        ready ? share(covered, covered + pending) : null,
        days == null ? Double.POSITIVE_INFINITY : days,
        status.disk().freeBytes(),
        status.scrubAgeSeconds(),
        status.hitRatio());
  }

  private static @Nullable Double share(long part, long all) {
    return all == 0 ? Double.valueOf(1) : (double) part / all;
  }

  /** Which groups the process followed, as it said. */
  private static Map<Group, Boolean> modes(RunStatus status) {
    Map<Group, Boolean> followed = new HashMap<>();
    for (RunStatus.GroupNumbers group : status.groups()) {
      followed.put(Group.parse(group.group()), group.followed());
    }
    return followed;
  }

  /** Of a group that no process has told of, the settings tell. */
  private static boolean isFollowed(Group group, RunSettings settings) {
    Mode ofAll = settings.constant(RunSetting.MODE, Mode.class);
    return settings.modes().getOrDefault(group, ofAll) == Mode.FOLLOW;
  }

  /**
   * Where no process tells, sizes and ends of files do.
   *
   * @param followed of groups whether they are to be in columns as a whole, as far as it was told
   */
  private Health surveyed(String process, Map<Group, Boolean> followed) throws IOException {
    RunSettings settings = RunSettings.of(session.settings(), Map.of(), problem -> {});
    Archive archive = session.settings().openArchive();
    String worst = null;
    long lag = 0;
    long raw = 0;
    long covered = 0;
    double perDay = 0;
    try (OptionalStore store = OptionalStore.of(session.settings())) {
      GroupSurvey survey = new GroupSurvey(archive, store.store());
      for (Group group : archive.groups()) {
        GroupStatus status = survey.of(group);
        perDay += status.storedBytesPerDay();
        Boolean told = followed.get(group);
        if (told == null ? !isFollowed(group, settings) : !told) {
          continue;
        }
        raw += status.rawBytes();
        covered += status.coveredBytes();
        Long behind = status.lagNanos();
        if (behind != null && (worst == null || behind > lag)) {
          worst = group.toString();
          lag = behind;
        }
      }
    }
    Long free = freeBytes();
    return new Health(
        process,
        0,
        null,
        worst,
        worst == null ? null : Long.valueOf(lag / 1_000_000_000L),
        share(covered, raw),
        free == null ? null : perDay == 0 ? Double.POSITIVE_INFINITY : free / perDay,
        free,
        null,
        null);
  }

  private @Nullable Long freeBytes() {
    try {
      FileStore disk = Files.getFileStore(session.settings().store());
      return disk.getUsableSpace();
    } catch (IOException e) {
      return null;
    }
  }
}
