package org.kblake.server.internal.guard;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import org.eclipse.jetty.server.Request;
import org.jspecify.annotations.Nullable;

/** The requests that are in work or wait. Thread safe. */
final class WorkInProgress {

  /** A request. Each is equal to itself only. */
  static final class Work {
    final Request request;
    final RequestKind kind;
    private @Nullable Thread thread;
    private boolean isCut;

    Work(Request request, RequestKind kind) {
      this.request = request;
      this.kind = kind;
    }

    /** Does the work on this thread. It is interrupted if the connection is cut meanwhile. */
    boolean run(Callable<Boolean> handler) throws Exception {
      synchronized (this) {
        thread = Thread.currentThread();
      }
      try {
        return handler.call();
      } finally {
        synchronized (this) {
          thread = null;
          if (isCut) {
            // The thread does other work next.
            Thread.interrupted();
          }
        }
      }
    }

    /**
     * Cuts the connection, so that the client sees an answer without its end, and interrupts the
     * work, which may not write for long.
     */
    void cut() {
      request.getConnectionMetaData().getConnection().getEndPoint().close();
      synchronized (this) {
        isCut = true;
        if (thread != null) {
          thread.interrupt();
        }
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
  void cut(Predicate<RequestKind> kinds) {
    for (Work each : List.copyOf(requests)) {
      if (kinds.test(each.kind)) {
        each.cut();
      }
    }
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
