package org.kblake.cli.command.status;

import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.kblake.cli.check.GroupAge;
import org.kblake.cli.check.Health;
import org.kblake.cli.command.shared.KnownGroups;
import org.kblake.cli.command.shared.OptionalStore;
import org.kblake.cli.frame.Session;
import org.kblake.cli.handover.LockHolder;
import org.kblake.cli.run.settings.RunSettings;
import org.kblake.cli.run.status.Liveness;
import org.kblake.cli.run.status.RunStatus;
import org.kblake.cli.run.status.StaleThresholds;
import org.kblake.cli.run.status.StatusFile;
import org.kblake.cli.run.status.StoreFigures;
import org.kblake.cli.settings.SettingType;
import org.kblake.core.internal.log.archive.Archive;
import org.kblake.core.model.Group;

/** Finds the figures for a check: from the process if it runs, else from archive and store. */
final class StoreHealth {

  private final Session session;
  private final StaleThresholds thresholds;

  /**
   * @param thresholds the thresholds of groups for the age of their newest events
   */
  StoreHealth(Session session, StaleThresholds thresholds) {
    this.session = session;
    this.thresholds = thresholds;
  }

  Health find() throws IOException {
    RunStatus status = StatusFile.read(session.settings().store());
    if (status == null) {
      LockHolder writer = LockHolder.running(session.settings().store());
      return surveyed(
          writer == null || !writer.isRun()
              ? "no process has ever run on this store"
              : "no process has ever written its status; the disk of the store may be full",
          null);
    }
    Instant now = session.now();
    String who = "host=" + status.host() + " pid=" + status.pid();
    return switch (Liveness.of(status, now)) {
      case RUNNING -> reported(status, now);
      case STOPPED -> surveyed("process was stopped at " + status.written(), status);
      case DEAD ->
          surveyed("process is dead: " + who + ", last wrote at " + status.written(), status);
      case STALE ->
          surveyed(
              "process is silent since " + Liveness.age(status, now).toSeconds() + " s: " + who,
              status);
    };
  }

  private Health reported(RunStatus status, Instant now) {
    return health(
        null,
        status.problems(),
        status.figures(),
        status.ready() && !status.groups().isEmpty(),
        true,
        status.scrubAgeSeconds(),
        status.hitRatio(),
        ages(status.groups(), now));
  }

  private static Health health(
      @Nullable String process,
      List<String> problems,
      StoreFigures figures,
      boolean ready,
      boolean allListed,
      @Nullable Long scrubAgeSeconds,
      @Nullable Double hitRatio,
      List<GroupAge> ages) {
    // Only a process has the lag of a group that is away
    boolean lagIsKnown =
        process == null || figures.groups().stream().noneMatch(RunStatus.GroupNumbers::away);
    RunStatus.GroupNumbers worst = ready && lagIsKnown ? figures.furthestBehind() : null;
    Double days = figures.daysUntilFull();
    boolean diskIsKnown = figures.disk().bytes() > 0;
    return new Health(
        process,
        problems.size(),
        problems.isEmpty() ? null : problems.get(0),
        worst == null ? null : worst.group(),
        worst == null ? null : Long.valueOf(worst.lagSeconds()),
        ready && allListed ? figures.coverage() : null,
        !diskIsKnown ? null : days == null ? Double.POSITIVE_INFINITY : days,
        diskIsKnown ? Long.valueOf(figures.disk().freeBytes()) : null,
        scrubAgeSeconds,
        hitRatio,
        ages);
  }

  private List<GroupAge> ages(List<RunStatus.GroupNumbers> groups, Instant now) {
    List<GroupAge> ages = new ArrayList<>();
    for (RunStatus.GroupNumbers group : groups) {
      if (group.newestEvent() != null || group.away()) {
        ages.add(
            new GroupAge(
                group.group(), group.ageSeconds(now), thresholds.of(Group.parse(group.group()))));
      }
    }
    return ages;
  }

  /**
   * Finds the figures without a process, from sizes and ends of files.
   *
   * @param last the last status of a process, which has modes and budget; if null, the settings
   *     have them
   */
  private Health surveyed(String process, @Nullable RunStatus last) throws IOException {
    RunSettings settings = RunSettings.of(session.settings());
    Map<String, String> modes = new HashMap<>();
    if (last != null) {
      last.groups().forEach(group -> modes.put(group.group(), group.mode()));
    }
    boolean bounded = last == null ? settings.isBounded() : last.disk().bounded();
    Archive archive = session.settings().openArchive();
    List<RunStatus.GroupNumbers> groups = new ArrayList<>();
    List<String> problems = new ArrayList<>();
    boolean allListed;
    try (OptionalStore store = OptionalStore.of(session.settings(), problems::add)) {
      KnownGroups known = KnownGroups.of(session.settings(), archive, store.store());
      allListed = known.problems().isEmpty();
      GroupSurvey survey = new GroupSurvey(known, store.store());
      for (Group group : known.all()) {
        String mode =
            modes.getOrDefault(group.toString(), SettingType.name(settings.modeOf(group)));
        GroupStatus status = survey.of(group);
        problems.addAll(status.problems());
        groups.add(status.numbers(mode));
      }
      problems.addAll(known.problems());
    }
    RunStatus.Disk disk = RunStatus.Disk.of(session.settings().store(), bounded);
    StoreFigures figures = new StoreFigures(groups, disk);
    return health(
        process, problems, figures, true, allListed, null, null, ages(groups, session.now()));
  }
}
