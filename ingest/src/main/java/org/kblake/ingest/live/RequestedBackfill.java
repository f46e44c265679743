package org.kblake.ingest.live;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.channels.ClosedByInterruptException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.kblake.core.log.Archive;
import org.kblake.core.model.Group;
import org.kblake.core.store.Coverage;
import org.kblake.core.store.Store;
import org.kblake.ingest.BackfillListener;
import org.kblake.ingest.BackfillProgress;
import org.kblake.ingest.BackfillSummary;
import org.kblake.ingest.GroupPlan;
import org.kblake.ingest.PacedAccess;
import org.kblake.ingest.RateLimit;
import org.kblake.ingest.live.CacheSettings.Eviction;

/**
 * A backfill that a running process does beside following: group after group, in pieces that its
 * workers do, so that following goes on, and memory and threads stay what they are. It makes again
 * what was evicted, too. Where there is a budget it stays below: it takes what room there is, and
 * where blocks go by when they were read, up to half of all there is, for which others go.
 */
final class RequestedBackfill {

  /** Seconds of work: so long what is new in the same group waits. */
  static final long PIECE_BYTES = 512L << 20;

  /** Within a limit of reads, a piece is what may be read in so many seconds. */
  private static final int PIECE_SECONDS = 2;

  /** The store outgrows its budget by less than one of so many parts of it. */
  private static final int LEAST_PIECES = 20;

  /** In so many looks at the budget whatever can go has gone. */
  private static final int LOOKS = 2;

  private final Archive archive;
  private final Store store;
  private final FollowedGroups groups;
  private final Room room;
  private final boolean evicting;
  private final boolean retaining;
  private final long ioLimitBytesPerSecond;

  RequestedBackfill(
      Archive archive, Store store, FollowedGroups groups, Room room, LiveSettings settings) {
    this.archive = archive;
    this.store = store;
    this.groups = groups;
    this.room = room;
    ioLimitBytesPerSecond = settings.ioLimitBytesPerSecond();
    CacheSettings cache = settings.cache();
    retaining = cache.retain();
    evicting = !cache.retain() && cache.eviction() == Eviction.LEAST_RECENTLY_USED;
  }

  /**
   * Does it, and returns when it is done.
   *
   * @throws IOException if the archive cannot be listed or the store cannot be written; blocks made
   *     before stay
   * @throws InterruptedException if interrupted; blocks made before stay, and no more are begun
   */
  BackfillSummary run(BackfillRequest request, BackfillListener listener)
      throws IOException, InterruptedException {
    BackfillProgress progress = new BackfillProgress(listener);
    List<GroupPlan> plans = plans(request, progress);
    listener.planned(plans.stream().mapToLong(GroupPlan::bytes).sum());
    groups.forgetOthers();
    long most = mostBytes(request);
    long leftBytes = allowedBytes();
    boolean full = false;
    for (GroupPlan plan : plans) {
      PlanPieces pieces = new PlanPieces(plan);
      while (!pieces.done() && !full) {
        long before = pieces.leftBytes();
        long bytes = awaitRoom(Math.min(before, most), leftBytes);
        if (bytes == 0) {
          full = true;
        } else {
          AskedPiece piece = new AskedPiece(group -> group.transcodeNext(pieces, bytes, progress));
          groups.ask(plan.group(), piece);
          piece.await();
          room.take(before - pieces.leftBytes());
          leftBytes -= before - pieces.leftBytes();
        }
      }
      if (!pieces.done()) {
        progress.problem(
            plan.group(),
            "no room within the budget: group="
                + plan.group()
                + ", bytes of log left out="
                + pieces.leftBytes());
      }
    }
    return progress.summary(plans.stream().mapToLong(GroupPlan::coveredBytes).sum());
  }

  private List<GroupPlan> plans(BackfillRequest request, BackfillProgress progress)
      throws IOException, InterruptedException {
    try {
      return plansOf(request, progress);
    } catch (InterruptedIOException | ClosedByInterruptException e) {
      boolean unused = Thread.interrupted();
      throw new InterruptedException(e.getMessage());
    }
  }

  private List<GroupPlan> plansOf(BackfillRequest request, BackfillProgress progress)
      throws IOException, InterruptedException {
    // The pairs of a plan are read as the archive is that they were listed of.
    Archive paced = PacedAccess.of(archive, new RateLimit(request.ioLimitBytesPerSecond()));
    List<GroupPlan> plans = new ArrayList<>();
    for (Group group : request.groups().isEmpty() ? knownGroups() : request.groups()) {
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
      // What is wrong with blocks is told of, and mended, by the group's own work.
      Coverage coverage = Coverage.of(store.blocks(group, problem -> {}));
      plans.add(
          GroupPlan.of(
              paced,
              group,
              !retaining && store.has(group),
              request.range(),
              coverage,
              problem -> progress.problem(group, problem)));
    }
    return plans;
  }

  /** The groups of the archive, and those that it does not show, unless the store replaces logs. */
  private Set<Group> knownGroups() throws IOException {
    Set<Group> known = new LinkedHashSet<>(archive.groups());
    if (!retaining) {
      known.addAll(store.groups());
    }
    return known;
  }

  private long mostBytes(BackfillRequest request) {
    long most = PIECE_BYTES;
    for (long limit : new long[] {request.ioLimitBytesPerSecond(), ioLimitBytesPerSecond}) {
      most = limit == 0 || limit >= most / PIECE_SECONDS ? most : limit * PIECE_SECONDS;
    }
    return most;
  }

  /**
   * Bytes of log that this may put into columns, all in all. What it made itself must not go for
   * what it makes next.
   */
  private long allowedBytes() throws InterruptedException {
    if (!room.looked()) {
      room.awaitLook();
    }
    return evicting ? Math.max(room.logBytes(), room.wholeLogBytes() / 2) : room.logBytes();
  }

  /**
   * Waits until more log may be put into columns.
   *
   * @param mostBytes of log
   * @param leftBytes of log that this may still put into columns
   * @return how many bytes of log; 0 if there is no room and none will be made
   */
  private long awaitRoom(long mostBytes, long leftBytes) throws InterruptedException {
    long bytes = Math.max(1, Math.min(mostBytes, room.wholeLogBytes() / LEAST_PIECES));
    for (int look = 0; look <= LOOKS && bytes <= leftBytes; look++) {
      if (bytes <= room.logBytes() || evicting && !room.overdrawn()) {
        return bytes;
      }
      room.awaitLook();
    }
    return 0;
  }
}
