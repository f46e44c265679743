package org.kblake.cli.command.store;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.kblake.cli.error.RequestException;
import org.kblake.cli.frame.Session;
import org.kblake.cli.handover.HandoverAnswer;
import org.kblake.cli.handover.HandoverRequest;
import org.kblake.cli.handover.RequestFiles;
import org.kblake.cli.run.status.RunStatus;
import org.kblake.cli.run.status.StatusFile;
import org.kblake.core.internal.store.Store;
import org.kblake.core.internal.store.StoreIdentity;
import org.kblake.core.internal.store.file.StoreException;
import org.kblake.core.model.Group;
import org.kblake.ingest.internal.backfill.BackfillSummary;
import org.kblake.ingest.internal.live.state.BackfillRequest;

/**
 * Has a backfill done by the {@code kblake run} that holds the store, and shows the progress. If
 * that process ends and no other one locks the store, the command continues with the store.
 */
final class HandedOverBackfill {

  private static final long LOOK_MILLIS = 250;

  /**
   * The process says every half second that it lives; one that is started again needs four seconds.
   * All is counted in looks, since this process may be made to sleep.
   */
  private static final int SILENT_LOOKS = 16;

  private static final int TRY_LOOKS = 4;

  /** Others than such a process never answer. */
  private static final int MOST_LOOKS_OF_ANOTHER = 48;

  /** A minute for one that is there, as on a disk that does not answer. */
  private static final int MOST_LOOKS = 240;

  /** One that has just taken the store has not said yet what it is. */
  private static final long BEGIN_NANOS = TimeUnit.SECONDS.toNanos(2);

  private final Session session;
  private final Path directory;
  private final StoreIdentity identity;
  private final HandoverRequest request;
  private final RequestFiles files;

  /** What came of it: what was done, or the store if it is for us to do the rest. */
  record End(@Nullable BackfillSummary summary, @Nullable Store store) {}

  HandedOverBackfill(
      Session session, Path directory, StoreIdentity identity, BackfillRequest request) {
    this.session = session;
    this.directory = directory;
    this.identity = identity;
    this.request = HandoverRequest.of(request);
    files = new RequestFiles(directory);
  }

  /**
   * Hands it over and waits.
   *
   * @param locked says who holds the store
   * @param inVain options that were given and do not count then
   * @throws StoreException.Locked the same, if it is no process that takes requests
   * @throws RequestException if the process refuses it
   * @throws IOException if the process fails at it
   * @throws InterruptedException if the user stops it; the request is taken back then
   */
  End run(StoreException.Locked locked, List<String> inVain)
      throws IOException, InterruptedException {
    RunStatus holder = awaitHolder(locked);
    if (holder == null) {
      throw locked;
    }
    // What makes this command wrong makes the request wrong, too.
    Store.open(directory, identity).close();
    String name = put();
    session.note(
        "kblake run has locked the store and does this: host="
            + holder.host()
            + " pid="
            + holder.pid()
            + "; Ctrl-C cancels the request");
    if (!inVain.isEmpty()) {
      session.note(String.join(", ", inVain) + ": the settings of kblake run apply instead");
    }
    try (BackfillReport report = new BackfillReport(session, "backfill")) {
      return new Watch(name, report).run();
    }
  }

  private String put() throws IOException {
    try {
      return files.put(request);
    } catch (FileSystemException e) {
      throw new IOException(
          "kblake run has locked the store, and the request cannot be written: file="
              + e.getFile()
              + ", "
              + e.getClass().getSimpleName()
              + "; run this as the user who runs kblake run",
          e);
    }
  }

  /** The process that holds the store, if it is one that takes requests. */
  private @Nullable RunStatus awaitHolder(StoreException.Locked locked)
      throws IOException, InterruptedException {
    long begin = System.nanoTime();
    while (System.nanoTime() - begin < BEGIN_NANOS) {
      RunStatus status = StatusFile.read(directory);
      if (status != null
          && status.state() == RunStatus.State.running
          && holds(status, locked)
          && files.areWanted()) {
        return status;
      }
      TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
    }
    return null;
  }

  private static boolean holds(RunStatus status, StoreException.Locked locked) {
    return locked.holder().startsWith("host=" + status.host() + " pid=" + status.pid() + " ");
  }

  /** Looks at the answer until there is an end. */
  private final class Watch {
    private final BackfillReport report;
    private String name;
    private @Nullable FileTime answered;
    private int silentLooks;
    private boolean planned;
    private long scannedBytes;
    private long scannedEvents;
    private int problems;

    Watch(String name, BackfillReport report) {
      this.name = name;
      this.report = report;
    }

    End run() throws IOException, InterruptedException {
      try {
        while (true) {
          HandoverAnswer answer = answer();
          if (answer != null) {
            show(answer);
            if (answer.state().isEnd()) {
              return new End(summary(answer), null);
            }
          }
          Store store = storeOfNobody();
          if (store != null) {
            session.note(
                "kblake run has ended before the end of the request; this command"
                    + " continues it");
            return new End(null, store);
          }
          stay();
          TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
        }
      } catch (InterruptedException e) {
        session.note("request is cancelled; kblake run stops this work");
        throw e;
      } finally {
        files.remove(name);
      }
    }

    private @Nullable HandoverAnswer answer() throws IOException {
      FileTime now = files.answered(name);
      if (now == null || now.equals(answered)) {
        silentLooks++;
        return null;
      }
      answered = now;
      silentLooks = 0;
      return files.answer(name);
    }

    /** Says that the answer is wanted; a request that was dropped while we slept is left again. */
    private void stay() throws IOException {
      try {
        files.touch(name);
      } catch (NoSuchFileException e) {
        name = put();
      }
    }

    private void show(HandoverAnswer answer) {
      if (!planned && answer.plannedBytes() > 0) {
        planned = true;
        report.planned(answer.plannedBytes());
      }
      // One that begins again, in another process or with other settings, counts from nothing.
      report.advance(
          Math.max(0, answer.scannedBytes() - scannedBytes),
          Math.max(0, answer.scannedEvents() - scannedEvents));
      scannedBytes = Math.max(scannedBytes, answer.scannedBytes());
      scannedEvents = Math.max(scannedEvents, answer.scannedEvents());
      for (; problems < answer.problems().size(); problems++) {
        HandoverAnswer.Problem problem = answer.problems().get(problems);
        report.problem(Group.parse(problem.group()), problem.message());
      }
    }

    private BackfillSummary summary(HandoverAnswer answer) throws IOException {
      String who = "kblake run (host=" + answer.host() + " pid=" + answer.pid() + ")";
      return switch (answer.state()) {
        case done -> answer.summary();
        case refused -> throw new RequestException(who + " refuses: " + answer.why());
        case failed ->
            throw new IOException(who + " failed: " + answer.why() + "; " + BackfillCommand.GO_ON);
        case waiting, working -> throw new IllegalStateException("no end: " + answer.state());
      };
    }

    /** The store, if no process answers and no process has locked it. */
    private @Nullable Store storeOfNobody() throws IOException {
      if (silentLooks < SILENT_LOOKS || silentLooks % TRY_LOOKS != 0) {
        return null;
      }
      try {
        return Store.openForWriting(directory, identity);
      } catch (StoreException.Locked e) {
        RunStatus status = StatusFile.read(directory);
        boolean another = status == null || !holds(status, e);
        if (silentLooks > (another ? MOST_LOOKS_OF_ANOTHER : MOST_LOOKS)) {
          throw e;
        }
        return null;
      }
    }
  }
}
