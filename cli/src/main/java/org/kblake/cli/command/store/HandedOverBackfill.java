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
 * Hands a backfill over to the {@code kblake run} that has locked the store, and shows the
 * progress. If that process ends and no other process locks the store, the command continues
 * itself.
 */
final class HandedOverBackfill {

  private static final long POLL_MILLIS = 250;

  /**
   * The number of polls without an answer after which the process may have ended. The process
   * answers every half second, and a restarted process needs four seconds. Time is counted in
   * polls, because this process may be suspended.
   */
  private static final int UNANSWERED_POLLS = 16;

  private static final int TRY_POLLS = 4;

  /** The limit if another process has locked the store, which takes no requests. */
  private static final int MAX_POLLS_OF_ANOTHER = 48;

  /**
   * The polls without a status after which the process is not one that takes requests, if its lock
   * does not state that it takes them. Otherwise the user is told that it begins.
   */
  private static final int BEGIN_POLLS = 8;

  /**
   * The limit of polls without an answer for a living process, one minute. A disk may hang for so
   * long.
   */
  private static final int MAX_POLLS = 240;

  private final Session session;
  private final Path directory;
  private final StoreIdentity identity;
  private final HandoverRequest request;
  private final RequestFiles files;

  /** The end of the request: the summary, or the opened store if this command must continue. */
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
   * Waits for the status of the process that has locked the store, hands the request over, and
   * waits for its end.
   *
   * @param found the error that names the owner of the lock
   * @param ignoredOptions the given options that the process ignores
   * @throws StoreException.Locked if the owner of the lock takes no requests
   * @throws RequestException if the process refuses the request
   * @throws IOException if the process fails
   * @throws InterruptedException if the user stops the command; the request is then cancelled
   */
  End run(StoreException.Locked found, List<String> ignoredOptions)
      throws IOException, InterruptedException {
    StoreException.Locked locked = found;
    RunStatus holder = holder(locked);
    for (int polls = 1; holder == null; polls++) {
      TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
      if (polls % TRY_POLLS == 0) {
        try {
          return new End(null, Store.openForWriting(directory, identity));
        } catch (StoreException.Locked e) {
          if (polls >= (e.takesRequests() ? MAX_POLLS : BEGIN_POLLS)) {
            throw e;
          }
          locked = e;
        }
      }
      if (polls == BEGIN_POLLS) {
        session.note("kblake run has locked the store and begins: " + locked.holder());
      }
      holder = holder(locked);
    }
    return handOver(holder, ignoredOptions);
  }

  private End handOver(RunStatus holder, List<String> ignoredOptions)
      throws IOException, InterruptedException {
    // Report a wrong store here, before the request is written
    Store.open(directory, identity).close();
    String name = put();
    session.note(
        "kblake run has locked the store and does this: host="
            + holder.host()
            + " pid="
            + holder.pid()
            + "; Ctrl-C cancels the request");
    if (!ignoredOptions.isEmpty()) {
      session.note(
          String.join(", ", ignoredOptions) + ": the settings of kblake run apply instead");
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

  /**
   * Returns the status of the process that has locked the store. Returns null if it takes no
   * requests, or has just begun.
   */
  private @Nullable RunStatus holder(StoreException.Locked locked) throws IOException {
    RunStatus status = status();
    if (status == null || status.state() != RunStatus.State.running || !holds(status, locked)) {
      return null;
    }
    return files.areAccepted() ? status : null;
  }

  /** Returns the status of a process; null if none ever ran, or if it cannot be read at present. */
  private @Nullable RunStatus status() {
    try {
      return StatusFile.read(directory);
    } catch (IOException e) {
      return null;
    }
  }

  private static boolean holds(RunStatus status, StoreException.Locked locked) {
    return locked.holder().startsWith("host=" + status.host() + " pid=" + status.pid() + " ");
  }

  /** Polls the answer until the request ends. */
  private final class Watch {
    private final BackfillReport report;
    private String name;
    private @Nullable FileTime answered;
    private int unansweredPolls;
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
          Store store = unlockedStore();
          if (store != null) {
            session.note(
                "kblake run has ended before the end of the request; this command"
                    + " continues it");
            return new End(null, store);
          }
          keepRequest();
          TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
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
        unansweredPolls++;
        return null;
      }
      answered = now;
      unansweredPolls = 0;
      return files.answer(name);
    }

    /**
     * Keeps the request alive. Writes it again if it was removed while this process was suspended.
     */
    private void keepRequest() throws IOException {
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
      // If the work begins again, in another process or with other settings, its figures begin at 0
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
            throw new IOException(who + " failed: " + answer.why() + "; " + WriteOptions.ADVICE);
        case waiting, working -> throw new IllegalStateException("no end: " + answer.state());
      };
    }

    /**
     * Opens the store if no process answers and no process has locked it. Returns null otherwise.
     */
    private @Nullable Store unlockedStore() throws IOException {
      if (unansweredPolls < UNANSWERED_POLLS || unansweredPolls % TRY_POLLS != 0) {
        return null;
      }
      try {
        return Store.openForWriting(directory, identity);
      } catch (StoreException.Locked e) {
        RunStatus status = status();
        boolean another = status == null || !holds(status, e);
        if (unansweredPolls > (another ? MAX_POLLS_OF_ANOTHER : MAX_POLLS)) {
          throw e;
        }
        return null;
      }
    }
  }
}
