package org.kblake.cli.run.request;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.kblake.cli.handover.HandoverAnswer;
import org.kblake.cli.handover.HandoverRequest;
import org.kblake.cli.process.ThisProcess;
import org.kblake.core.internal.log.archive.ArchiveGroups;
import org.kblake.core.internal.store.block.Block;
import org.kblake.core.model.Group;
import org.kblake.ingest.internal.backfill.BackfillListener;
import org.kblake.ingest.internal.backfill.BackfillSummary;
import org.kblake.ingest.internal.live.FollowService;
import org.kblake.ingest.internal.live.state.BackfillRequest;

/** A requested backfill and its progress. Thread safe. */
final class RequestWork implements BackfillListener {

  /** The limit of listed problems, which the requesting command prints. The summary counts all. */
  private static final int MAX_PROBLEMS = 1000;

  private final String host = ThisProcess.host();
  private final Runnable changed;
  private HandoverAnswer.State state = HandoverAnswer.State.waiting;
  private String why = "";
  private long plannedBytes;
  private long scannedBytes;
  private long scannedEvents;
  private BackfillSummary summary = HandoverAnswer.NOTHING;
  private final List<HandoverAnswer.Problem> problems = new ArrayList<>();

  /**
   * @param changed is called when the state has changed
   */
  RequestWork(Runnable changed) {
    this.changed = changed;
  }

  /**
   * Carries the request out.
   *
   * @throws InterruptedException if interrupted; the request then waits to be carried out again
   */
  void run(FollowService service, HandoverRequest request) throws InterruptedException {
    end(HandoverAnswer.State.working, "", HandoverAnswer.NOTHING);
    try {
      if (request.forgets()) {
        forget(service, request);
        return;
      }
      BackfillRequest backfill = accepted(request, service.shownGroups());
      if (backfill != null) {
        end(HandoverAnswer.State.done, "", service.backfill(backfill, this));
      }
    } catch (InterruptedException e) {
      end(HandoverAnswer.State.waiting, "", HandoverAnswer.NOTHING);
      throw e;
    } catch (IOException | RuntimeException e) {
      end(
          HandoverAnswer.State.failed,
          e instanceof IOException ? message(e) : e.toString(),
          HandoverAnswer.NOTHING);
    } catch (Error e) {
      end(HandoverAnswer.State.failed, e.toString(), HandoverAnswer.NOTHING);
      throw e;
    }
  }

  private void forget(FollowService service, HandoverRequest request)
      throws IOException, InterruptedException {
    try {
      for (String group : request.groups()) {
        service.forget(Group.parse(group), request.what().equals(HandoverRequest.FORCED_FORGET));
      }
      done();
    } catch (IllegalArgumentException e) {
      refuse(String.valueOf(e.getMessage()));
    }
  }

  /** Returns the requested backfill. Refuses an invalid request and returns null. */
  private @Nullable BackfillRequest accepted(HandoverRequest request, ArchiveGroups shown) {
    try {
      return request.backfill(shown);
    } catch (IllegalArgumentException e) {
      refuse(String.valueOf(e.getMessage()));
      return null;
    }
  }

  private static String message(Exception e) {
    return e.getMessage() == null ? e.toString() : e.getMessage();
  }

  private void end(HandoverAnswer.State as, String reason, BackfillSummary done) {
    synchronized (this) {
      state = as;
      why = reason;
      summary = done;
    }
    changed.run();
  }

  /** Ends the request as done, without a backfill. */
  void done() {
    end(HandoverAnswer.State.done, "", HandoverAnswer.NOTHING);
  }

  /** Ends the request as refused. */
  void refuse(String reason) {
    end(HandoverAnswer.State.refused, reason, HandoverAnswer.NOTHING);
  }

  synchronized boolean ended() {
    return state.isEnd();
  }

  /**
   * Returns the progress.
   *
   * @param known the number of problems that the requester knows
   */
  synchronized HandoverAnswer answer(int known) {
    return new HandoverAnswer(
        state,
        host,
        ThisProcess.pid(),
        why,
        plannedBytes,
        scannedBytes,
        scannedEvents,
        summary,
        problems.subList(known, problems.size()));
  }

  @Override
  public synchronized void planned(long rawBytes) {
    plannedBytes = rawBytes;
  }

  @Override
  public synchronized void scanned(Group group, long rawBytes, long events) {
    scannedBytes += rawBytes;
    scannedEvents += events;
  }

  @Override
  public void committed(Block block, long storedBytes) {
    // The summary has the number of blocks
  }

  @Override
  public synchronized void problem(Group group, String message) {
    if (problems.size() < MAX_PROBLEMS) {
      problems.add(new HandoverAnswer.Problem(group.toString(), message));
    }
  }
}
