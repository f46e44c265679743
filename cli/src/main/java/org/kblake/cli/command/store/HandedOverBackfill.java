package org.kblake.cli.command.store;

import java.io.IOException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.kblake.cli.error.RequestException;
import org.kblake.cli.frame.Session;
import org.kblake.cli.handover.HandoverAnswer;
import org.kblake.cli.handover.HandoverRequest;
import org.kblake.cli.handover.LockHolder;
import org.kblake.cli.handover.RequestConnection;
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

  /** The time before the first attempt to lock the store, if no process has taken the request. */
  private static final long TRY_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** The time without a connection after which the user is told that the process begins. */
  private static final long BEGIN_NANOS = TimeUnit.SECONDS.toNanos(2);

  /** The time that another process has to take over, and a restarted process needs. */
  private static final long RESTART_NANOS = TimeUnit.SECONDS.toNanos(4);

  /** The limit without an answer, one minute. A disk may hang for so long. */
  private static final long MAX_NANOS = RequestConnection.limitNanos(60);

  private final Session session;
  private final Path directory;
  private final StoreIdentity identity;
  private final HandoverRequest request;
  private final List<String> ignoredOptions;
  private final Set<HandoverAnswer.Problem> problems = new HashSet<>();
  private long heardNanos = System.nanoTime();
  private boolean told;
  private boolean taken;
  private boolean planned;
  private long scannedBytes;
  private long scannedEvents;

  /** The end of the request: the summary, or the opened store if this command must continue. */
  record End(@Nullable BackfillSummary summary, @Nullable Store store) {}

  /**
   * @param ignoredOptions the given options that the process ignores
   */
  HandedOverBackfill(
      Session session,
      Path directory,
      StoreIdentity identity,
      BackfillRequest request,
      List<String> ignoredOptions) {
    this.session = session;
    this.directory = directory;
    this.identity = identity;
    this.request = HandoverRequest.of(request);
    this.ignoredOptions = ignoredOptions;
  }

  /**
   * Connects to the process that has locked the store, hands the request over, and waits for its
   * end.
   *
   * @throws StoreException.Locked if the owner of the lock takes no requests
   * @throws RequestException if the process refuses the request, or cannot be asked
   * @throws IOException if the process fails
   * @throws InterruptedException if the user stops the command; the request is then cancelled
   */
  End run() throws IOException, InterruptedException {
    try (BackfillReport report = new BackfillReport(session, "backfill")) {
      while (true) {
        BackfillSummary summary = asked(report);
        if (summary != null) {
          return new End(summary, null);
        }
        TimeUnit.MILLISECONDS.sleep(RequestConnection.RETRY_MILLIS);
        long quietNanos = System.nanoTime() - heardNanos;
        if (quietNanos >= (taken ? RESTART_NANOS : TRY_NANOS)) {
          Store store = unlockedStore(quietNanos);
          if (store != null) {
            return new End(null, store);
          }
        }
      }
    } catch (InterruptedException e) {
      if (taken) {
        session.note("request is cancelled; kblake run stops this work");
      }
      throw e;
    }
  }

  /** Sends the request. Returns the summary; null if no process takes it, or it has ended. */
  private @Nullable BackfillSummary asked(BackfillReport report)
      throws IOException, InterruptedException {
    try (RequestConnection connection = RequestConnection.open(directory, request)) {
      if (connection == null) {
        return null;
      }
      // Report a wrong store here, before the request is sent
      Store.open(directory, identity).close();
      HandoverAnswer end =
          connection.end(() -> heardNanos + MAX_NANOS, answer -> show(answer, report));
      return end == null ? null : summary(end);
    }
  }

  private void show(HandoverAnswer answer, BackfillReport report) {
    heardNanos = System.nanoTime();
    if (!taken) {
      taken = true;
      session.note(
          "kblake run has locked the store and does this: host="
              + answer.host()
              + " pid="
              + answer.pid()
              + "; Ctrl-C cancels the request");
      if (!ignoredOptions.isEmpty()) {
        session.note(
            String.join(", ", ignoredOptions) + ": the settings of kblake run apply instead");
      }
    }
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
    for (HandoverAnswer.Problem problem : answer.problems()) {
      if (problems.add(problem)) {
        report.problem(Group.parse(problem.group()), problem.message());
      }
    }
  }

  private static BackfillSummary summary(HandoverAnswer answer) throws IOException {
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
   * Opens the store if no process has locked it. Returns null if a process has locked it that may
   * take requests soon.
   */
  private @Nullable Store unlockedStore(long quietNanos) throws IOException {
    try {
      Store store = Store.openForWriting(directory, identity);
      if (taken) {
        session.note(
            "kblake run has ended before the end of the request; this command continues it");
      }
      return store;
    } catch (StoreException.Locked e) {
      LockHolder holder = LockHolder.parse(e.holder());
      // A holder that has ended is the one before, since the present one writes its name soon
      boolean known = holder != null && !holder.hasEnded();
      String unreachable = holder == null ? null : holder.unreachable();
      if (unreachable != null) {
        throw new RequestException(unreachable);
      }
      if (holder == null || known && !holder.takesRequests() || !known && quietNanos > MAX_NANOS) {
        throw e;
      }
      if (quietNanos > MAX_NANOS) {
        throw new RequestException(holder.silence());
      }
      if (known && !taken && !told && quietNanos >= BEGIN_NANOS) {
        told = true;
        session.note("kblake run has locked the store and begins: " + e.holder());
      }
      return null;
    }
  }
}
