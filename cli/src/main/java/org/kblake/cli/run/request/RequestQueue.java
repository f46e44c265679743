package org.kblake.cli.run.request;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.kblake.cli.handover.BadRequestException;
import org.kblake.cli.handover.HandoverAnswer;
import org.kblake.cli.handover.HandoverRequest;
import org.kblake.cli.handover.RequestFiles;
import org.kblake.cli.run.follow.FollowThread;
import org.kblake.cli.run.settings.RunLog;
import org.kblake.cli.run.status.RunStatus;
import org.kblake.ingest.internal.live.FollowService;
import org.kblake.ingest.internal.pace.Threads;

/**
 * Takes what other processes ask for, has it done one after the other, and says twice a second how
 * it continues. What is requested is in files only: another process, or this one with other
 * settings, finds it there and begins again; what is in columns by then is not done twice.
 */
public final class RequestQueue implements AutoCloseable {

  private static final long PERIOD_MILLIS = 500;

  /** More requests than this wait for their turn to be looked at. */
  private static final int MOST_OPEN = 100;

  private final FollowService service;
  private final RequestFiles files;
  private final Runnable resetCounters;
  private final RunLog log;
  private final Map<String, OpenRequest> open = new LinkedHashMap<>();
  private final ScheduledExecutorService timer =
      Executors.newSingleThreadScheduledExecutor(Threads.named("kblake-requests-"));
  private final ExecutorService worker =
      Executors.newSingleThreadExecutor(Threads.named("kblake-request-"));
  private volatile List<RunStatus.RequestNumbers> shown = List.of();
  private @Nullable String failure;

  private RequestQueue(
      FollowService service, RequestFiles files, Runnable resetCounters, RunLog log) {
    this.service = service;
    this.files = files;
    this.resetCounters = resetCounters;
    this.log = log;
  }

  /**
   * Begins to take requests.
   *
   * @param service who does them; to be closed after this
   * @param resetCounters what is done at once if it is requested
   */
  public static RequestQueue open(
      FollowService service, RequestFiles files, Runnable resetCounters, RunLog log)
      throws IOException {
    files.want();
    RequestQueue queue = new RequestQueue(service, files, resetCounters, log);
    ScheduledFuture<?> unused =
        queue.timer.scheduleWithFixedDelay(queue::update, 0, PERIOD_MILLIS, TimeUnit.MILLISECONDS);
    return queue;
  }

  /** The requests that are open, in the order in which they are done. */
  public List<RunStatus.RequestNumbers> requests() {
    return shown;
  }

  private void update() {
    try {
      List<String> names = files.names();
      String problem = null;
      for (OpenRequest known : List.copyOf(open.values())) {
        problem = first(problem, seenTo(() -> endIfNobodyWaits(known, names)));
      }
      for (String name : names) {
        if (!open.containsKey(name) && open.size() < MOST_OPEN) {
          problem = first(problem, seenTo(() -> take(name)));
        }
      }
      for (OpenRequest each : List.copyOf(open.values())) {
        problem =
            first(
                problem,
                seenTo(
                    () -> {
                      begin(each);
                      say(each);
                    }));
      }
      files.tidy();
      shown = List.copyOf(numbers());
      tell(problem);
    } catch (IOException | RuntimeException e) {
      tell("requests cannot be read: " + e);
    }
  }

  /** Something that is done for one request. */
  private interface Step {
    void run() throws IOException;
  }

  /**
   * Does it: what is wrong with one request must not keep others waiting.
   *
   * @return what is wrong, if anything is
   */
  private static @Nullable String seenTo(Step step) {
    try {
      step.run();
      return null;
    } catch (IOException | RuntimeException e) {
      return "request cannot be carried out: " + e;
    }
  }

  private static @Nullable String first(@Nullable String problem, @Nullable String next) {
    return problem == null ? next : problem;
  }

  private void tell(@Nullable String problem) {
    String before = failure;
    failure = problem;
    if (problem != null && !problem.equals(before)) {
      log.warn("problem", "problem", problem);
    } else if (problem == null && before != null) {
      log.info("problem is over", "problem", before);
    }
  }

  private void endIfNobodyWaits(OpenRequest known, List<String> names) throws IOException {
    FileTime touched = names.contains(known.name) ? files.touched(known.name) : null;
    if (touched == null) {
      end(known, "request is cancelled");
    } else if (known.abandoned(touched)) {
      end(known, "request is dropped, because its process has ended");
    }
  }

  private void end(OpenRequest request, String message) throws IOException {
    open.remove(request.name);
    request.callOff();
    files.remove(request.name);
    if (!request.ended()) {
      log.info(message, "request", request.name, "what", request.words());
    }
  }

  private void take(String name) throws IOException {
    try {
      HandoverRequest request = files.request(name);
      if (request == null) {
        return;
      }
      OpenRequest added = new OpenRequest(name, request);
      open.put(name, added);
      HandoverAnswer before = files.answer(name);
      if (before != null && before.state().isEnd()) {
        // The process before this one has done it; who asked has not looked yet.
        added.work.refuse("");
        added.said = added.work.answer();
        return;
      }
      log.info("request", "request", name, "what", request.words(), "from", added.asker());
    } catch (BadRequestException e) {
      refuse(name, String.valueOf(e.getMessage()));
    } catch (FileSystemException e) {
      refuse(
          name,
          "cannot be read, "
              + e.getClass().getSimpleName()
              + ": run this as the user who runs kblake run");
    }
  }

  private void refuse(String name, String reason) {
    OpenRequest refused = new OpenRequest(name, null);
    open.put(name, refused);
    refused.work.refuse(reason);
    log.warn("request is refused", "request", name, "reason", reason);
  }

  /** Hands it to the worker, who does one after the other. */
  private void begin(OpenRequest each) {
    HandoverRequest request = each.request;
    if (request == null || each.underWay != null || each.ended()) {
      return;
    }
    if (request.resetsCounters()) {
      resetCounters.run();
      each.work.done();
      return;
    }
    each.underWay =
        worker.submit(
            () -> {
              each.work.run(service, request);
              return null;
            });
  }

  /** Writes the answer if it is news, and touches it if not. */
  private void say(OpenRequest each) throws IOException {
    HandoverAnswer now = each.work.answer();
    if (now.equals(each.said)) {
      if (files.answered(each.name) != null) {
        files.touchAnswer(each.name);
      }
      return;
    }
    files.answer(each.name, now);
    each.said = now;
    if (now.state().isEnd() && each.request != null) {
      log.info(
          "request is " + now.state(),
          "request",
          each.name,
          "rawBytes",
          now.summary().rawBytes(),
          "blocks",
          now.summary().blocks(),
          "problems",
          now.summary().problems(),
          "reason",
          now.why().isEmpty() ? "-" : now.why());
    }
  }

  private List<RunStatus.RequestNumbers> numbers() {
    List<RunStatus.RequestNumbers> numbers = new ArrayList<>();
    for (OpenRequest each : open.values()) {
      HandoverAnswer answer = each.work.answer();
      HandoverRequest request = each.request;
      if (request != null && !answer.state().isEnd()) {
        numbers.add(
            new RunStatus.RequestNumbers(
                each.words(),
                request.host(),
                request.pid(),
                answer.state().toString(),
                answer.scannedBytes(),
                answer.plannedBytes()));
      }
    }
    return numbers;
  }

  /** Returns when nothing is done any more. What is not done waits for the next desk. */
  @Override
  public void close() {
    timer.shutdownNow();
    worker.shutdownNow();
    Threads.awaitEnd(timer);
    // Who waits for a silent volume only reads, and does nothing any more.
    Threads.awaitEnd(worker, FollowThread.STOP_TIMEOUT);
    for (OpenRequest each : open.values()) {
      try {
        if (files.touched(each.name) != null) {
          say(each);
        }
      } catch (IOException e) {
        // Who asks sees that nothing happens any more.
      }
    }
  }
}
