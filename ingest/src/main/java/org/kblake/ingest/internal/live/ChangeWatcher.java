package org.kblake.ingest.internal.live;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.kblake.core.internal.log.archive.Archive;
import org.kblake.core.internal.log.archive.ArchiveWatch;
import org.kblake.core.internal.log.pair.Pair;
import org.kblake.core.model.Group;
import org.kblake.ingest.internal.live.group.GroupWork;
import org.kblake.ingest.internal.live.state.Problems;

/**
 * Wakes the work on a group when its files change, if the system reports changes. The files of all
 * groups are also polled at an interval. So an error here only delays work until the next poll. For
 * one thread.
 */
final class ChangeWatcher {

  /** The least time between two polls of the groups of a directory that its changes cause. */
  private static final Duration REST = Duration.ofSeconds(1);

  /** The interval between updates of the watched directories. */
  private static final long DIRECTORIES_NANOS = TimeUnit.SECONDS.toNanos(2);

  /** The interval between these updates while no group is known. */
  private static final long GROUPS_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private static final long RETRY_SECONDS = 60;
  private static final String SYSTEM = "watch";
  private static final String POLLED = "changes are not reported, files are only polled";

  private final Archive archive;
  private final FollowedGroups groups;
  private final Problems problems;

  ChangeWatcher(Archive archive, FollowedGroups groups, Problems problems) {
    this.archive = archive;
    this.groups = groups;
    this.problems = problems;
  }

  /** Watches until the thread is interrupted. */
  void run() {
    try {
      while (true) {
        try (ArchiveWatch watch = ArchiveWatch.open(archive, REST, new WatchListener())) {
          problems.end(Problems.ARCHIVE, SYSTEM);
          follow(watch);
        } catch (IOException e) {
          problems.beginOfArchive(Problems.ARCHIVE, SYSTEM, POLLED + ": " + e.getMessage());
        }
        TimeUnit.SECONDS.sleep(RETRY_SECONDS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (UnsupportedOperationException e) {
      // The system reports no changes. Only polls find them.
    } catch (RejectedExecutionException e) {
      // The process ends.
    } catch (RuntimeException e) {
      problems.beginOfArchive(Problems.ARCHIVE, SYSTEM, POLLED + ": " + e);
    }
  }

  private void follow(ArchiveWatch watch) throws IOException, InterruptedException {
    long directoriesNanos = System.nanoTime();
    int known = 0;
    while (true) {
      long now = System.nanoTime();
      List<GroupWork> works = groups.all();
      if (now - directoriesNanos >= 0 || works.size() != known) {
        known = works.size();
        watch(watch, works);
        directoriesNanos = now + (known == 0 ? GROUPS_NANOS : DIRECTORIES_NANOS);
      }
      watch.await(directoriesNanos - System.nanoTime()).forEach(groups::wake);
    }
  }

  private void watch(ArchiveWatch watch, List<GroupWork> works) throws IOException {
    List<Group> wanted = new ArrayList<>();
    List<Pair> pairs = new ArrayList<>();
    for (GroupWork work : works) {
      wanted.add(work.group());
      List<Pair> open = work.openPairs();
      if (open != null) {
        pairs.addAll(open);
      }
    }
    archive
        .access()
        .call(
            archive.root(),
            () -> {
              watch.watch(wanted, pairs);
              return wanted;
            });
  }

  /** Reports directories that cannot be watched. */
  private final class WatchListener implements ArchiveWatch.Listener {
    @Override
    public void watched(Path directory) {
      problems.end(Problems.ARCHIVE, SYSTEM + " " + directory);
    }

    @Override
    public void unwatched(Path directory, String reason) {
      problems.beginOfArchive(
          Problems.ARCHIVE,
          SYSTEM + " " + directory,
          POLLED + ": directory=" + directory + ", " + reason);
    }
  }
}
