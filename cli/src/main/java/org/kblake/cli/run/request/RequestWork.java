package org.kblake.cli.run.request;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.kblake.cli.handover.HandoverAnswer;
import org.kblake.cli.handover.HandoverAnswer.State;
import org.kblake.cli.handover.HandoverRequest;
import org.kblake.cli.process.ThisProcess;
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
  private State state = State.waiting;
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
   * Carries the request out. If the thread is interrupted, the request waits to be carried out
   * again.
   */
  void run(FollowService service, HandoverRequest request) {
    become(State.working, "");
    try {
      BackfillRequest backfill = begun(service, request);
      if (backfill != null) {
        become(State.done, "", service.backfill(backfill, this));
      }
    } catch (InterruptedException e) {
      become(State.waiting, "");
    } catch (IOException | RuntimeException | Error e) {
      become(
          State.failed,
          e instanceof IOException && e.getMessage() != null ? e.getMessage() : e.toString());
    }
  }

  /**
   * Returns the requested backfill. Carries out another request, or refuses it, and returns null.
   */
  private @Nullable BackfillRequest begun(FollowService service, HandoverRequest request)
      throws IOException, InterruptedException {
    try {
      if (!request.forgets()) {
        return request.backfill(service.shownGroups());
      }
      for (String group : request.groups()) {
        service.forget(Group.parse(group), request.what().equals(HandoverRequest.FORCED_FORGET));
      }
      become(State.done, "");
    } catch (IllegalArgumentException e) {
      become(State.refused, String.valueOf(e.getMessage()));
    }
    return null;
  }

  /**
   * Changes the state, unless it is final.
   *
   * @param reason why it failed or is refused; empty otherwise
   */
  void become(State next, String reason) {
    become(next, reason, HandoverAnswer.NOTHING);
  }

  private void become(State next, String reason, BackfillSummary done) {
    synchronized (this) {
      if (state.isEnd()) {
        return;
      }
      state = next;
      why = reason;
      summary = done;
    }
    changed.run();
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
