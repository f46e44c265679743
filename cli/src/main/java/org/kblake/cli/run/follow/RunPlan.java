package org.kblake.cli.run.follow;

import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.kblake.cli.run.settings.RunSetting;
import org.kblake.cli.run.settings.RunSettings;
import org.kblake.core.internal.log.archive.Archive;
import org.kblake.core.internal.parquet.file.WriteProfile;
import org.kblake.core.internal.store.StoreIdentity;
import org.kblake.core.model.Group;
import org.kblake.ingest.internal.compact.AgedProfile;
import org.kblake.ingest.internal.live.state.CacheSettings;
import org.kblake.ingest.internal.live.state.FollowSettings;

/**
 * The plan of a process until its settings change.
 *
 * @param archive the archive to follow
 * @param store the store's directory
 * @param identity the identity that the store must have
 * @param groups the groups to follow; empty for all
 * @param settings the other settings
 */
public record RunPlan(
    Archive archive, Path store, StoreIdentity identity, List<Group> groups, RunSettings settings) {

  public RunPlan {
    groups = List.copyOf(groups);
  }

  /**
   * Returns the settings of the service.
   *
   * @param lake whether columns are written for Spark, too
   */
  FollowSettings followSettings(boolean lake) {
    return new FollowSettings(
        groups,
        settings.get(RunSetting.POLL),
        settings.get(RunSetting.SEAL_AGE),
        settings.bytes(RunSetting.SEAL_BYTES),
        settings.get(RunSetting.SEAL_EVENTS),
        settings.get(RunSetting.RECHECK),
        settings.get(RunSetting.THREADS),
        settings.bytes(RunSetting.MEMORY),
        settings.bytes(RunSetting.IO_LIMIT),
        settings.get(RunSetting.SCRUB_CYCLE),
        new WriteProfile(settings.get(RunSetting.CODEC), lake),
        aged(lake),
        new CacheSettings(
            settings.bytes(RunSetting.BUDGET),
            settings.bytes(RunSetting.FREE),
            settings.get(RunSetting.EVICTION),
            settings.get(RunSetting.RETAIN),
            settings.get(RunSetting.MODE),
            settings.modes()),
        settings.directory(RunSetting.MIRROR));
  }

  private @Nullable AgedProfile aged(boolean lake) {
    return settings.isSet(RunSetting.AGED_CODEC)
        ? new AgedProfile(
            settings.get(RunSetting.AGED_AFTER),
            new WriteProfile(settings.get(RunSetting.AGED_CODEC), lake))
        : null;
  }
}
