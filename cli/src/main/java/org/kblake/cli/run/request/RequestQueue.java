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
 * Carries out requests of other processes one after the other, and publishes the progress twice a
 * second. Requests exist in files only. After a restart, or with other settings, the process finds
 * them there and begins them again. Log that is already in columns is not read again.
 */
public final class RequestQueue implements AutoCloseable {

  private static final long PERIOD_MILLIS = 500;

  /** The limit of open requests. Further requests wait. */
  private static final int MAX_OPEN = 100;

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
   * Begins to accept requests.
   *
   * @param service the service that carries them out; it is closed after this queue
   * @param resetCounters resets the counters, at once when it is requested
   */
  public static RequestQueue open(
      FollowService service, RequestFiles files, Runnable resetCounters, RunLog log)
      throws IOException {
    files.accept();
    RequestQueue queue = new RequestQueue(service, files, resetCounters, log);
    ScheduledFuture<?> unused =
        queue.timer.scheduleWithFixedDelay(queue::update, 0, PERIOD_MILLIS, TimeUnit.MILLISECONDS);
    return queue;
  }

  /** Returns the open requests in the order in which they are carried out. */
  public List<RunStatus.RequestNumbers> requests() {
    return shown;
  }

  private void update() {
    try {
      List<String> names = files.names();
      String problem = null;
      for (OpenRequest known : List.copyOf(open.values())) {
        problem = first(problem, attempt(() -> endIfAbandoned(known, names)));
      }
      for (String name : names) {
        if (!open.containsKey(name) && open.size() < MAX_OPEN) {
          problem = first(problem, attempt(() -> take(name)));
        }
      }
      for (OpenRequest each : List.copyOf(open.values())) {
        problem =
            first(
                problem,
                attempt(
                    () -> {
                      begin(each);
                      writeAnswer(each);
                    }));
      }
      files.tidy();
      shown = List.copyOf(numbers());
      logProblem(problem);
    } catch (IOException | RuntimeException e) {
      logProblem("requests cannot be read: " + e);
    }
  }

  /** A step of the work on one request. */
  private interface Step {
    void run() throws IOException;
  }

  /**
   * Runs a step. A problem of one request must not affect others.
   *
   * @return the problem, or null
   */
  private static @Nullable String attempt(Step step) {
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

  private void logProblem(@Nullable String problem) {
    String before = failure;
    failure = problem;
    if (problem != null && !problem.equals(before)) {
      log.warn("problem", "problem", problem);
    } else if (problem == null && before != null) {
      log.info("problem is over", "problem", before);
    }
  }

  private void endIfAbandoned(OpenRequest known, List<String> names) throws IOException {
    FileTime touched = names.contains(known.name) ? files.touched(known.name) : null;
    if (touched == null) {
      end(known, "request is cancelled");
    } else if (known.abandoned(touched)) {
      end(known, "request is dropped, because its process has ended");
    }
  }

  private void end(OpenRequest request, String message) throws IOException {
    open.remove(request.name);
    request.cancel();
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
        // The previous process has carried it out, and the requester has not read the answer yet
        added.work.refuse("");
        added.lastAnswer = added.work.answer();
        return;
      }
      log.info("request", "request", name, "what", request.words(), "from", added.requester());
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

  /** Submits a request to the worker, which carries out one after the other. */
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

  /** Writes the answer if it has changed, and touches it otherwise. */
  private void writeAnswer(OpenRequest each) throws IOException {
    HandoverAnswer now = each.work.answer();
    if (now.equals(each.lastAnswer)) {
      if (files.answered(each.name) != null) {
        files.touchAnswer(each.name);
      }
      return;
    }
    files.answer(each.name, now);
    each.lastAnswer = now;
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

  /** Waits until all work has ended. Unfinished requests stay for the next queue. */
  @Override
  public void close() {
    // An update that is interrupted, or that submits work to an ended worker, would report a
    // problem with a file.
    timer.shutdown();
    Threads.awaitEnd(timer);
    worker.shutdownNow();
    // A worker that waits for an unresponsive volume only reads, and writes nothing afterwards
    Threads.awaitEnd(worker, FollowThread.STOP_TIMEOUT);
    for (OpenRequest each : open.values()) {
      try {
        if (files.touched(each.name) != null) {
          writeAnswer(each);
        }
      } catch (IOException e) {
        // The requester notices that the answer is not touched any more
      }
    }
  }
}
