package org.kblake.ingest.internal.live;

import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.kblake.core.internal.store.StoreIdentity;
import org.kblake.core.internal.store.access.Access;
import org.kblake.core.internal.store.access.AccessCollector;
import org.kblake.core.internal.store.access.AccessHistory;
import org.kblake.core.internal.store.block.Block;
import org.kblake.core.log.LogPosition;
import org.kblake.ingest.internal.live.group.FollowContext;
import org.kblake.ingest.internal.live.group.GroupRegistry;
import org.kblake.ingest.internal.live.group.GroupWork;
import org.kblake.ingest.internal.live.state.BlockTimes;
import org.kblake.ingest.internal.live.state.CacheSettings;
import org.kblake.ingest.internal.live.state.CacheSettings.Eviction;
import org.kblake.ingest.internal.live.state.CacheSettings.Mode;
import org.kblake.ingest.internal.live.state.Counters.Count;
import org.kblake.ingest.internal.live.state.Problems;

/**
 * Takes the access records of readers: counts them, keeps when each block was last read, and queues
 * spans that were read from logs. For one thread.
 */
final class ReadRecords {

  /**
   * The part of the budget that one admission may take, so that one read does not evict half of the
   * cache.
   */
  private static final int LARGEST_ADMISSION_SHARE = 4;

  /** The number of records that wait for the history at most. */
  private static final int MAX_RECORDED = 50_000;

  private static final String RECORDS = "records of readers cannot be taken";

  private final FollowContext context;
  private final GroupRegistry groups;
  private final CacheSettings settings;
  private final AccessCollector collector;
  private final AccessHistory history;
  private final BlockTimes lastReads;

  /** Records that are not in the history yet. */
  private final List<Access> unwritten = new ArrayList<>();

  ReadRecords(FollowContext context, GroupRegistry groups) throws IOException {
    this.context = context;
    this.groups = groups;
    settings = context.settings().cache();
    Path store = context.store().directory();
    collector = new AccessCollector(store);
    history = new AccessHistory(store);
    lastReads = new BlockTimes(store, store.resolve("access").resolve("last-reads"));
  }

  /**
   * Takes the records that readers have written. An error of reading them is reported.
   *
   * @throws ClosedByInterruptException if interrupted; the history is written later
   * @throws IOException if the times of reads cannot be written
   */
  void take() throws IOException {
    Consumer<Access> take =
        access -> {
          fold(access);
          if (unwritten.size() < MAX_RECORDED) {
            unwritten.add(access);
          }
        };
    try {
      try {
        StoreIdentity.requireIn(context.store().directory());
        collector.take(take, this::refuse);
      } finally {
        writeHistory();
      }
      context.problems().end(Problems.ARCHIVE, RECORDS);
    } catch (ClosedByInterruptException e) {
      throw e;
    } catch (IOException e) {
      context.problems().beginOfStore(Problems.ARCHIVE, RECORDS, RECORDS + ": " + e.getMessage());
    }
    lastReads.writeIfDue();
  }

  private void refuse(String what) {
    context.counters().add(Count.RECORDS_REFUSED, 1);
    context.listener().refused(what);
  }

  private void writeHistory() throws IOException {
    history.add(unwritten);
    unwritten.clear();
  }

  /** Returns when a block was last read, milliseconds since 1970 UTC. */
  long lastReadMillis(Block block) throws IOException {
    return lastReads.atMillis(block.directory());
  }

  /**
   * Writes the state that the next process continues from. The last round may have ended before it
   * wrote the history, because it was interrupted.
   */
  void end() throws IOException {
    collector.close();
    lastReads.write();
    writeHistory();
  }

  private void fold(Access access) {
    context.listener().read(access);
    context.counters().add(access.fromColumns() ? Count.HITS : Count.MISSES, 1);
    context
        .counters()
        .add(
            access.fromColumns() ? Count.BYTES_FROM_COLUMNS : Count.BYTES_FROM_LOGS,
            access.logBytes());
    // A time in the future comes from a wrong clock, or from a user who wants to keep a block.
    long atMillis = Math.min(access.atMillis(), context.clock().millis());
    for (GroupWork group : groups.worked()) {
      if (group.group().equals(access.group())) {
        if (access.fromColumns()) {
          group.blocks().stream()
              .filter(block -> meets(block.summary().from(), block.summary().to(), access))
              .forEach(block -> lastReads.set(block.directory(), atMillis));
        } else if (groups.all().contains(group)) {
          considerAdmission(group, access);
        }
      }
    }
  }

  private static boolean meets(LogPosition from, LogPosition to, Access access) {
    return from.compareTo(access.to()) < 0 && access.from().compareTo(to) < 0;
  }

  private void considerAdmission(GroupWork group, Access access) {
    Mode mode = settings.modeOf(group.group());
    boolean wasEvicted =
        context.evicted().spans(group.group()).stream()
            .anyMatch(span -> meets(span.from(), span.to(), access));
    if (wasEvicted) {
      context.counters().add(Count.REREADS, 1);
    }
    boolean wanted =
        switch (mode) {
          case FOLLOW -> wasEvicted && settings.eviction() == Eviction.LEAST_RECENTLY_USED;
          case ON_READ -> true;
          case NEVER -> false;
        };
    boolean fits =
        settings.budgetBytes() == 0
            || context.headroom().storedBytes(access.logBytes())
                <= settings.budgetBytes() / LARGEST_ADMISSION_SHARE;
    boolean admitted = wanted && fits && group.admit(access.from(), access.to());
    if (!admitted && (wanted || mode == Mode.NEVER)) {
      context.counters().add(Count.ADMISSIONS_REFUSED, 1);
    }
  }
}
