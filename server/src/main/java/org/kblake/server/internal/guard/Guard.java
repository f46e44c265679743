package org.kblake.server.internal.guard;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.thread.Scheduler;
import org.jspecify.annotations.Nullable;
import org.kblake.server.settings.AccessSettings;
import org.kblake.server.settings.ServerLimits;

/**
 * Stands before all doors. It refuses requests, lets others wait, and measures all. Thread safe.
 */
public final class Guard extends Handler.Wrapper {

  private final Admission admission;
  private final ServerLimits limits;
  private final DoorMetrics metrics;
  private final WorkInProgress works = new WorkInProgress();
  private final Map<RequestKind, Gate> gates = new EnumMap<>(RequestKind.class);
  private volatile boolean stopping;

  public Guard(
      InetSocketAddress listen, AccessSettings access, ServerLimits limits, DoorMetrics metrics) {
    this.limits = limits;
    this.metrics = metrics;
    admission = new Admission(listen, access);
    gates.put(RequestKind.TRENDS, new Gate(limits.trends(), limits.waiting()));
    gates.put(RequestKind.EXPORTS, new Gate(limits.exports(), limits.waiting()));
    gates.put(RequestKind.STREAMS, new Gate(limits.streams(), 0));
  }

  @Override
  public boolean handle(Request request, Response response, Callback callback) throws Exception {
    String path = Request.getPathInContext(request);
    String door = RequestKind.door(path);
    RequestKind kind = RequestKind.of(path, request.getHttpURI().getQuery());
    WorkInProgress.Work work = new WorkInProgress.Work(request, kind);
    metrics.begin(door);
    works.add(work);
    Request.addCompletionListener(
        request,
        failure -> {
          works.remove(work);
          metrics.end(
              door,
              response.getStatus(),
              Duration.ofNanos(System.nanoTime() - request.getHeadersNanoTime()),
              Response.getContentBytesWritten(response));
        });
    admission.addHeaders(request, response);
    if (kind != RequestKind.FREE) {
      response.getHeaders().put("Cache-Control", "no-store");
    }
    Refusal refusal = stopping ? Refusal.stopping() : admission.refusal(request);
    if (refusal != null) {
      return refuse(door, refusal, request, response, callback);
    }
    Gate gate = gates.get(kind);
    return gate == null
        ? pass(work, request, response, callback)
        : new Turn(gate, work, door, request, response, callback).begin();
  }

  private boolean refuse(
      String door, Refusal refusal, Request request, Response response, Callback callback) {
    metrics.refused(door, refusal.reason());
    refusal.send(request, response, callback);
    return true;
  }

  private boolean pass(
      WorkInProgress.Work work, Request request, Response response, Callback callback)
      throws Exception {
    Request asked = AsGet.of(request, work.kind);
    WatchedResponse watched = new WatchedResponse(asked, response, callback);
    return work.run(() -> super.handle(asked, watched, watched.completion()));
  }

  /** Javalin has no headers for HEAD, but Jetty sends none of the body of an answer to it. */
  private static final class AsGet extends Request.Wrapper {
    private AsGet(Request request) {
      super(request);
    }

    /** Returns a request as the doors see it. HEAD does not begin long answers. */
    static Request of(Request request, RequestKind kind) {
      boolean isShort = kind == RequestKind.FREE || kind == RequestKind.TRENDS;
      return isShort && request.getMethod().equals("HEAD") ? new AsGet(request) : request;
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
    private final String door;
    private final Request request;
    private final Response response;
    private final Callback callback;
    private final Scheduler scheduler;
    private final Runnable later = this::workLater;

    Turn(
        Gate gate,
        WorkInProgress.Work work,
        String door,
        Request request,
        Response response,
        Callback callback) {
      this.gate = gate;
      this.work = work;
      this.door = door;
      this.request = request;
      this.response = response;
      this.callback = callback;
      scheduler = request.getComponents().getScheduler();
    }

    boolean begin() throws Exception {
      switch (gate.enter(later)) {
        case WORKS -> {
          return work();
        }
        case WAITS ->
            scheduler.schedule(
                this::giveUp, limits.longestWait().toMillis(), TimeUnit.MILLISECONDS);
        case REFUSED ->
            refuse(door, Refusal.busy("too many requests wait"), request, response, callback);
      }
      return true;
    }

    private void giveUp() {
      if (gate.giveUp(later)) {
        String time = limits.longestWait().toMillis() + " ms";
        refuse(
            door,
            Refusal.busy("other requests took longer than " + time),
            request,
            response,
            callback);
      }
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
      Duration most = most();
      Scheduler.@Nullable Task deadline =
          most == null
              ? null
              : scheduler.schedule(work::cut, most.toMillis(), TimeUnit.MILLISECONDS);
      Request.addCompletionListener(
          request,
          failure -> {
            if (deadline != null) {
              deadline.cancel();
            }
            gate.leave();
          });
      return pass(work, request, response, callback);
    }

    private @Nullable Duration most() {
      return switch (work.kind) {
        case TRENDS -> limits.trendTime();
        case EXPORTS -> limits.exportTime();
        default -> null;
      };
    }
  }

  /**
   * Refuses new requests, ends streams, and gives other requests some seconds to end. The
   * connections of requests that take longer are cut.
   */
  public void drain() {
    stopping = true;
    works.cut(kind -> kind == RequestKind.STREAMS);
    try {
      works.await(limits.stop());
      works.cut(kind -> true);
      works.await(limits.stop());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      works.cut(kind -> true);
    }
  }
}
