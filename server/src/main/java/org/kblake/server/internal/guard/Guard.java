package org.kblake.server.internal.guard;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.io.EofException;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.thread.Scheduler;
import org.jspecify.annotations.Nullable;
import org.kblake.server.internal.connection.ClientEndPoint;
import org.kblake.server.settings.AccessSettings;
import org.kblake.server.settings.AccessToken;
import org.kblake.server.settings.AccessTokens;
import org.kblake.server.settings.ServerLimits;

/**
 * Stands before all doors. It refuses requests, lets others wait, and measures all. Thread safe.
 */
public final class Guard extends Handler.Wrapper {

  private static final long WATCH_MILLIS = 500;

  private final Admission admission;
  private final ServerLimits limits;
  private final InstantSource clock;
  private final DoorMetrics metrics;
  private final WorkInProgress works = new WorkInProgress();
  private final Map<RequestKind, Gate> gates = new EnumMap<>(RequestKind.class);
  private volatile boolean stopping;

  public Guard(
      InetSocketAddress listen,
      AccessSettings access,
      ServerLimits limits,
      InstantSource clock,
      DoorMetrics metrics) {
    this.limits = limits;
    this.clock = clock;
    this.metrics = metrics;
    admission = new Admission(listen, access, clock);
    gates.put(RequestKind.TRENDS, gate(limits.trends(), limits.waiting()));
    gates.put(RequestKind.EXPORTS, gate(limits.exports(), limits.waiting()));
    gates.put(RequestKind.PAGES, gate(limits.trends(), limits.waiting()));
    gates.put(RequestKind.STREAMS, gate(limits.streams(), 0));
  }

  private Gate gate(int most, int mostWaiting) {
    return new Gate(most, mostWaiting, limits.requestsOfClient());
  }

  @Override
  public boolean handle(Request request, Response response, Callback callback) throws Exception {
    String path = Request.getPathInContext(request);
    String door = RequestKind.door(path);
    RequestKind kind = RequestKind.of(path, request.getHttpURI().getQuery());
    WorkInProgress.Work work = new WorkInProgress.Work(request, kind);
    ClientEndPoint client = ClientEndPoint.of(request);
    if (client != null) {
      client.begin(request.getMethod().equals("POST"));
    }
    metrics.begin(door);
    works.add(work);
    Request.addCompletionListener(
        request,
        failure -> {
          if (client != null) {
            client.end();
          }
          works.remove(work);
          metrics.end(
              door,
              Asker.name(request),
              response.getStatus(),
              Duration.ofNanos(System.nanoTime() - request.getHeadersNanoTime()),
              Response.getContentBytesWritten(response));
        });
    admission.addHeaders(request, response);
    if (kind != RequestKind.FREE && kind != RequestKind.PAGES) {
      response.getHeaders().put("Cache-Control", "no-store");
      // An answer is made for each request, so that a part of it costs as much as the whole.
      response.getHeaders().put("Accept-Ranges", "none");
    }
    Refusal refusal = stopping ? Refusal.stopping() : admission.refusal(request);
    if (refusal != null) {
      return refuse(door, refusal, request, response, callback);
    }
    Gate gate = gates.get(kind);
    return gate == null
        ? pass(work, answer(work, door, request, response, callback))
        : new Turn(gate, work, client, door, request, response, callback).begin();
  }

  private boolean refuse(
      String door, Refusal refusal, Request request, Response response, Callback callback) {
    metrics.refused(door, refusal.reason());
    refusal.send(request, response, callback);
    return true;
  }

  /** Makes the answer of a request that is let in. */
  private WatchedResponse answer(
      WorkInProgress.Work work,
      String door,
      Request request,
      Response response,
      Callback callback) {
    Request asked = request.getMethod().equals("HEAD") ? new AsGet(request) : request;
    WatchedResponse answer =
        new WatchedResponse(
            asked,
            response,
            callback,
            refusal -> {
              metrics.refused(door, refusal.reason());
              admission.addHeaders(request, response);
            });
    work.answers(answer);
    return answer;
  }

  private boolean pass(WorkInProgress.Work work, WatchedResponse answer) throws Exception {
    return work.run(answer, () -> super.handle(answer.getRequest(), answer, answer.completion()));
  }

  /**
   * A request for headers as the doors see it. Javalin has no headers for HEAD, but Jetty sends
   * none of the body of an answer to it. Answers that take long end before their body: see {@code
   * HeaderAnswer}.
   */
  private static final class AsGet extends Request.Wrapper {
    AsGet(Request request) {
      super(request);
    }

    @Override
    public String getMethod() {
      return "GET";
    }
  }

  /** A request that has to pass a gate. */
  private final class Turn {
    private final Gate gate;
    private final WorkInProgress.Work work;
    private final @Nullable ClientEndPoint client;
    private final String door;
    private final Request request;
    private final Response response;
    private final Callback callback;
    private final Scheduler scheduler;
    private final Runnable later = this::workLater;
    private final @Nullable Object asker;
    private volatile boolean ended;

    Turn(
        Gate gate,
        WorkInProgress.Work work,
        @Nullable ClientEndPoint client,
        String door,
        Request request,
        Response response,
        Callback callback) {
      this.gate = gate;
      this.work = work;
      this.client = client;
      this.door = door;
      this.request = request;
      this.response = response;
      this.callback = callback;
      scheduler = request.getComponents().getScheduler();
      asker = Asker.limited(request, client);
    }

    boolean begin() throws Exception {
      Request.addCompletionListener(request, failure -> ended = true);
      watch();
      switch (gate.enter(asker, later)) {
        case WORKS -> {
          return work();
        }
        case WAITS -> {
          work.waits(this::giveUp);
          String time = limits.longestWait().toMillis() + " ms";
          Refusal busy = Refusal.busy("other requests took longer than " + time);
          after(limits.longestWait(), () -> giveUp(busy));
        }
        case REFUSED ->
            refuse(door, Refusal.busy("too many requests wait"), request, response, callback);
        case CLIENT_REFUSED ->
            refuse(door, Refusal.ofClient(limits.requestsOfClient()), request, response, callback);
      }
      return true;
    }

    /** Looks now and then whether the client has left, and then ends the work or the wait. */
    private void watch() {
      ClientEndPoint of = client;
      if (of == null || ended) {
        return;
      }
      if (of.isLeft()) {
        work.cut();
        if (gate.giveUp(later)) {
          callback.failed(new EofException("the client has left"));
        }
      } else {
        scheduler.schedule(this::watch, WATCH_MILLIS, TimeUnit.MILLISECONDS);
      }
    }

    /** Refuses the request if it still waits. */
    private boolean giveUp(Refusal refusal) {
      return gate.giveUp(later) && refuse(door, refusal, request, response, callback);
    }

    private void workLater() {
      request
          .getComponents()
          .getExecutor()
          .execute(
              () -> {
                try {
                  if (!work()) {
                    Response.writeError(request, response, callback, 404);
                  }
                } catch (Exception e) {
                  Response.writeError(request, response, callback, e);
                }
              });
    }

    private boolean work() throws Exception {
      WatchedResponse answer = answer(work, door, request, response, callback);
      List<Scheduler.Task> deadlines =
          switch (work.kind) {
            case PAGES, TRENDS -> deadlines(limits.trendTime(), "trend-time");
            case EXPORTS -> deadlines(limits.exportTime(), "export-time");
            default -> expiry();
          };
      Request.addCompletionListener(
          request,
          failure -> {
            deadlines.forEach(Scheduler.Task::cancel);
            gate.leave(asker);
          });
      return pass(work, answer);
    }

    /** Work that does not end after its refusal is cut. */
    private List<Scheduler.Task> deadlines(Duration most, String setting) {
      Refusal late = Refusal.late(most, setting);
      return List.of(after(most, () -> work.end(late)), after(most.plus(limits.stop()), work::cut));
    }

    private Scheduler.Task after(Duration time, Runnable then) {
      return scheduler.schedule(then, time.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Live values end with their token. */
    private List<Scheduler.Task> expiry() {
      AccessToken token = Asker.token(request);
      Instant end = token == null ? null : token.end();
      return end == null
          ? List.of()
          : List.of(after(Duration.between(clock.instant(), end), work::cut));
    }
  }

  /** Admits other tokens from now on. Requests in work whose token is gone are cut. */
  public void renew(AccessTokens tokens) {
    admission.renew(tokens);
    works.cut(
        work -> {
          AccessToken token = Asker.token(work.request);
          return token != null && !tokens.has(token);
        });
  }

  /**
   * Refuses new requests, ends streams, and gives other requests some seconds to end. Requests that
   * take longer are refused, or cut if their answers have begun.
   */
  public void drain() {
    stopping = true;
    works.cut(work -> work.kind == RequestKind.STREAMS);
    try {
      works.await(limits.stop());
      works.end(Refusal.stopping());
      works.await(limits.stop());
      works.cut(work -> true);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      works.cut(work -> true);
    }
  }
}
