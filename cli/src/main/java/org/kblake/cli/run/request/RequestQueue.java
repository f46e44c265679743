package org.kblake.cli.run.request;

import java.io.IOException;
import java.net.ProtocolException;
import java.net.SocketException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;
import org.kblake.cli.handover.HandoverAnswer;
import org.kblake.cli.handover.HandoverRequest;
import org.kblake.cli.handover.RequestSocket;
import org.kblake.cli.run.follow.FollowThread;
import org.kblake.cli.run.settings.RunLog;
import org.kblake.cli.run.status.RunStatus;
import org.kblake.core.internal.log.file.FirstFailure;
import org.kblake.ingest.internal.live.FollowService;
import org.kblake.ingest.internal.pace.Threads;

/**
 * Carries out requests of other processes one after the other, and sends the progress: a new state
 * at once, figures each half of a second. A request is a connection: it ends when the peer closes
 * it. If this queue ends, the peer connects to the next one. Log that is already in columns is not
 * read again.
 */
public final class RequestQueue implements AutoCloseable {

  private static final long PERIOD_MILLIS = 500;

  /** The limit of open requests. Further ones wait until they are accepted. */
  private static final int MAX_OPEN = 100;

  private final FollowService service;
  private final RequestSocket socket;
  private final Runnable resetCounters;
  private final RunLog log;
  private final Selector selector;
  private final List<OpenRequest> open = new ArrayList<>();
  private final ExecutorService requests =
      Executors.newSingleThreadExecutor(Threads.named("kblake-requests-"));
  private final ExecutorService worker =
      Executors.newSingleThreadExecutor(Threads.named("kblake-request-"));
  private volatile List<RunStatus.RequestNumbers> shown = List.of();
  private volatile boolean closing;
  private @Nullable String failure;

  private RequestQueue(
      FollowService service, RequestSocket socket, Runnable resetCounters, RunLog log)
      throws IOException {
    this.service = service;
    this.socket = socket;
    this.resetCounters = resetCounters;
    this.log = log;
    selector = Selector.open();
  }

  /**
   * Begins to accept requests.
   *
   * @param service the service that carries them out; it is closed after this queue
   * @param socket is not closed here
   * @param resetCounters resets the counters, at once when it is requested
   */
  public static RequestQueue open(
      FollowService service, RequestSocket socket, Runnable resetCounters, RunLog log)
      throws IOException {
    RequestQueue queue = new RequestQueue(service, socket, resetCounters, log);
    queue.selector.wakeup();
    queue.requests.execute(queue::serve);
    return queue;
  }

  /** Returns the open requests in the order in which they are carried out. */
  public List<RunStatus.RequestNumbers> requests() {
    return shown;
  }

  private void serve() {
    while (!closing) {
      try {
        int unused = selector.select(PERIOD_MILLIS);
        selector.selectedKeys().clear();
        List.copyOf(open).forEach(this::advance);
        shown = open.stream().flatMap(OpenRequest::numbers).toList();
        accept();
        failure = log.problem(null, failure);
      } catch (IOException | RuntimeException e) {
        failure =
            log.problem(
                "requests cannot be taken: "
                    + socket
                    + ", found "
                    + e
                    + (e instanceof SocketException ? "; put the store on a local disk" : ""),
                failure);
      }
    }
  }

  private void accept() throws IOException {
    boolean removed = socket.isRemoved();
    if (closing) {
      // The next queue has the socket
      return;
    }
    ServerSocketChannel server = socket.listen(removed);
    // After an error it is tried again in the next period
    SelectionKey key = server.register(selector, 0);
    SocketChannel peer = open.size() < MAX_OPEN ? server.accept() : null;
    if (peer != null) {
      open.add(opened(peer));
    }
    key.interestOps(open.size() < MAX_OPEN ? SelectionKey.OP_ACCEPT : 0);
  }

  private OpenRequest opened(SocketChannel peer) throws IOException {
    try {
      return new OpenRequest(peer, selector, System::nanoTime);
    } catch (Throwable e) {
      FirstFailure.close(e, peer);
      throw e;
    }
  }

  /** Takes the next step of a request. A problem of one request must not affect others. */
  private void advance(OpenRequest each) {
    try {
      HandoverRequest request = each.ended() ? null : each.receive();
      // A peer that has closed does not want it any more
      if (request != null && each.receive() == null) {
        begin(each, request);
      }
      if (each.send()) {
        finish(each);
      }
    } catch (ProtocolException e) {
      end(each, HandoverAnswer.State.refused, String.valueOf(e.getMessage()));
    } catch (RuntimeException e) {
      end(each, HandoverAnswer.State.failed, e.toString());
    } catch (IOException e) {
      HandoverRequest request = each.ended() ? null : each.request();
      if (request != null) {
        log.info("request is cancelled", "request", each.name, "what", request.words());
      }
      close(each);
    }
  }

  /** Submits a request to the worker, which carries out one after the other. */
  private void begin(OpenRequest each, HandoverRequest request) {
    log.info(
        "request",
        "request",
        each.name,
        "what",
        request.words(),
        "from",
        "host=" + request.host() + " pid=" + request.pid());
    if (request.resetsCounters()) {
      resetCounters.run();
      each.work.become(HandoverAnswer.State.done, "");
      return;
    }
    each.underWay(worker.submit(() -> each.work.run(service, request)));
  }

  /** Ends a request by a problem, which its peer gets. If it has ended before, it is closed. */
  private void end(OpenRequest each, HandoverAnswer.State as, String reason) {
    log.warn("request is " + as, "request", each.name, "reason", reason);
    if (each.ended()) {
      close(each);
    }
    each.end(as, reason);
  }

  /** Closes a request whose peer has taken its end. */
  private void finish(OpenRequest each) {
    HandoverAnswer end = each.work.answer(0);
    if (each.request() != null && end.state().isEnd()) {
      log.info(
          "request is " + end.state(),
          "request",
          each.name,
          "rawBytes",
          end.summary().rawBytes(),
          "blocks",
          end.summary().blocks(),
          "problems",
          end.summary().problems(),
          "reason",
          end.why().isEmpty() ? "-" : end.why());
    }
    close(each);
  }

  private void close(OpenRequest each) {
    open.remove(each);
    try {
      each.close();
    } catch (IOException e) {
      // Its peer has ended
    }
  }

  /** Waits until all work has ended. Peers with unfinished requests connect to the next queue. */
  @Override
  public void close() throws IOException {
    closing = true;
    selector.wakeup();
    requests.shutdown();
    // It looks for the socket's file, which may be on a volume that does not respond
    Threads.awaitEnd(requests, FollowThread.STOP_TIMEOUT);
    worker.shutdownNow();
    // A worker that waits for an unresponsive volume only reads, and writes nothing afterwards
    Threads.awaitEnd(worker, FollowThread.STOP_TIMEOUT);
    List<OpenRequest> rest = List.copyOf(open);
    rest.stream().filter(OpenRequest::ended).forEach(this::advance);
    rest.forEach(this::close);
    selector.close();
  }
}
