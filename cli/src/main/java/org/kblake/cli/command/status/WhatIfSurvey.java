package org.kblake.cli.command.status;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.kblake.cli.command.shared.KnownGroups;
import org.kblake.cli.command.status.ModelBlocks.Log;
import org.kblake.cli.frame.Session;
import org.kblake.cli.run.settings.RunSetting;
import org.kblake.cli.run.settings.RunSettings;
import org.kblake.cli.settings.Settings;
import org.kblake.core.archive.UnavailableException;
import org.kblake.core.internal.log.pair.Pair;
import org.kblake.core.internal.store.Store;
import org.kblake.core.internal.store.access.Access;
import org.kblake.core.internal.store.access.AccessHistory;
import org.kblake.core.internal.store.block.Block;
import org.kblake.core.model.Group;
import org.kblake.ingest.internal.live.state.CacheSettings.Mode;

/**
 * Finds what hit ratios other budgets would have had. It reads the recorded reads, sizes and times
 * of the logs, and the heads of blocks. Files that cannot be read are left out, because the status
 * of their group reports them.
 */
final class WhatIfSurvey {

  /** The assumed ratio of stored bytes to log bytes while the store has no block. */
  private static final double USUAL_SHARE = 0.25;

  /** Log is sealed and can be read from columns within this multiple of {@code seal-age}. */
  private static final int FRESH_SEAL_AGES = 2;

  private final KnownGroups known;
  private final Store store;
  private final RunSettings settings;

  private WhatIfSurvey(Settings settings, KnownGroups known, Store store) {
    this.known = known;
    this.store = store;
    this.settings = RunSettings.of(settings);
  }

  /** The bytes of the blocks of a group. */
  private record Size(long storedBytes, long logBytes) {

    double share(double otherwise) {
      return logBytes == 0 ? otherwise : (double) storedBytes / logBytes;
    }
  }

  /**
   * Computes the hit ratios.
   *
   * @param store null if there is none
   */
  static WhatIf find(Session session, KnownGroups known, @Nullable Store store) throws IOException {
    return store == null
        ? WhatIf.NONE
        : new WhatIfSurvey(session.settings(), known, store).find(session.now());
  }

  /**
   * Computes the hit ratios.
   *
   * @param now records of later times come from wrong clocks, and count as of this time
   */
  private WhatIf find(Instant now) throws IOException {
    List<Access> accesses = new ArrayList<>();
    for (Access each : new AccessHistory(store.directory()).read()) {
      accesses.add(each.atMillis() <= now.toEpochMilli() ? each : each.at(now.toEpochMilli()));
    }
    accesses.sort(Comparator.comparingLong(Access::atMillis));
    return WhatIf.of(
        new ModelBlocks(logs()),
        accesses,
        settings.bytes(RunSetting.BUDGET),
        FRESH_SEAL_AGES * settings.get(RunSetting.SEAL_AGE).toMillis());
  }

  private List<Log> logs() {
    Map<Group, Size> sizes = new HashMap<>();
    long stored = 0;
    long log = 0;
    for (Group group : known.all()) {
      Size size = sizeOf(group);
      sizes.put(group, size);
      stored += size.storedBytes;
      log += size.logBytes;
    }
    double usual = new Size(stored, log).share(USUAL_SHARE);
    List<Log> logs = new ArrayList<>();
    sizes.forEach((group, size) -> addLogs(group, settings.modeOf(group), size.share(usual), logs));
    return logs;
  }

  private Size sizeOf(Group group) {
    long storedBytes = 0;
    long logBytes = 0;
    try {
      for (Block block : store.blocks(group, problem -> {})) {
        storedBytes += block.storedBytes();
        logBytes += block.summary().rawBytes();
      }
    } catch (IOException e) {
      // The ratio is that of the blocks before.
    }
    return new Size(storedBytes, logBytes);
  }

  private void addLogs(Group group, Mode mode, double share, List<Log> logs) {
    try {
      for (Pair pair : known.pairs(group, problem -> {})) {
        addLog(pair, mode, share, logs);
      }
    } catch (UnavailableException e) {
      // The group is away, so its reads do not count.
    }
  }

  private static void addLog(Pair pair, Mode mode, double share, List<Log> logs) {
    Path file = pair.logPath();
    long begin = TimeUnit.NANOSECONDS.toMillis(pair.beginNanos());
    try {
      long bytes = Files.size(file);
      long end =
          pair.isSuperseded()
              ? TimeUnit.NANOSECONDS.toMillis(pair.endNanos())
              : Files.getLastModifiedTime(file).toMillis();
      if (bytes > 0) {
        logs.add(
            new Log(pair.group(), mode, share, pair.stamp(), bytes, begin, Math.max(begin, end)));
      }
    } catch (IOException e) {
      // The log is missing, so its reads do not count.
    }
  }
}
