package org.kblake.server.internal.guard;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import org.eclipse.jetty.io.EofException;
import org.eclipse.jetty.server.Request;
import org.jspecify.annotations.Nullable;

/** The requests that are in work or wait. Thread safe. */
final class WorkInProgress {

  /** A request. Each is equal to itself only. */
  static final class Work {
    final Request request;
    final RequestKind kind;
    private volatile @Nullable WatchedResponse response;
    private volatile Predicate<Refusal> wait = refusal -> false;
    private @Nullable Thread thread;
    private boolean isOver;

    Work(Request request, RequestKind kind) {
      this.request = request;
      this.kind = kind;
    }

    /**
     * Sets what happens to a refusal while the request waits.
     *
     * @param ending refuses the request, and returns true; returns false if it does not wait
     */
    void waits(Predicate<Refusal> ending) {
      wait = ending;
    }

    /** Sets the answer before the time of the work begins. */
    void answers(WatchedResponse answer) {
      response = answer;
    }

    /**
     * Does the work on this thread. It is interrupted if its time ends meanwhile. It is not begun
     * if its time ended before.
     */
    boolean run(WatchedResponse answer, Callable<Boolean> handler) throws Exception {
      if (!begin()) {
        answer.completion().failed(new EofException("the connection was cut"));
        return true;
      }
      try {
        return handler.call();
      } finally {
        synchronized (this) {
          thread = null;
          if (isOver) {
            // The thread does other work next.
            Thread.interrupted();
          }
        }
      }
    }

    private synchronized boolean begin() {
      thread = isOver ? null : Thread.currentThread();
      return thread != null;
    }

    /** Ends the work. The client gets a refusal. If its answer has begun, the connection is cut. */
    void end(Refusal refusal) {
      WatchedResponse answer = response;
      if (answer != null && answer.refuse(refusal)) {
        interrupt();
      } else {
        cut();
      }
    }

    /**
     * Cuts the connection, so that the client sees an answer without its end, and interrupts the
     * work, which may not write for long.
     */
    void cut() {
      request.getConnectionMetaData().getConnection().getEndPoint().close();
      interrupt();
    }

    private synchronized void interrupt() {
      isOver = true;
      if (thread != null) {
        thread.interrupt();
      }
    }
  }

  private final Set<Work> requests = ConcurrentHashMap.newKeySet();

  void add(Work work) {
    requests.add(work);
  }

  synchronized void remove(Work work) {
    requests.remove(work);
    notifyAll();
  }

  /** Cuts the connections of some requests. */
  void cut(Predicate<Work> which) {
    List.copyOf(requests).stream().filter(which).forEach(Work::cut);
  }

  /** Ends all requests with a refusal, and first those that wait, so that none begins to work. */
  void end(Refusal refusal) {
    List.copyOf(requests).stream()
        .filter(work -> !work.wait.test(refusal))
        .toList()
        .forEach(work -> work.end(refusal));
  }

  /** Waits until all requests have ended, but not longer than a time. */
  synchronized void await(Duration most) throws InterruptedException {
    long end = System.nanoTime() + most.toNanos();
    while (!requests.isEmpty()) {
      long left = (end - System.nanoTime()) / 1_000_000;
      if (left <= 0) {
        return;
      }
      wait(left);
    }
  }
}
