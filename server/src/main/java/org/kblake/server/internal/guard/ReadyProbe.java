package org.kblake.server.internal.guard;

import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Finds whether the archive responds. One question to it is open at a time, because a volume that
 * does not respond holds a thread until it does. Thread safe.
 */
public final class ReadyProbe {

  private static final long WAIT_MILLIS = 2_000;

  private final Callable<?> question;
  private @Nullable CompletableFuture<Void> open;

  /**
   * @param question reads something of the archive
   */
  public ReadyProbe(Callable<?> question) {
    this.question = question;
  }

  /** Returns the reason why the archive cannot be read; null if it can. */
  public @Nullable String unready() throws InterruptedException {
    CompletableFuture<Void> answer = ask();
    try {
      answer.get(WAIT_MILLIS, TimeUnit.MILLISECONDS);
      return null;
    } catch (TimeoutException e) {
      return "the archive does not respond";
    } catch (ExecutionException e) {
      Throwable cause = e.getCause();
      return "the archive cannot be read: " + (cause == null ? e : cause).getMessage();
    }
  }

  private synchronized CompletableFuture<Void> ask() {
    CompletableFuture<Void> before = open;
    if (before != null && !before.isDone()) {
      return before;
    }
    CompletableFuture<Void> answer = new CompletableFuture<>();
    open = answer;
    Thread thread =
        new Thread(
            () -> {
              try {
                question.call();
                answer.complete(null);
              } catch (Exception | Error e) {
                answer.completeExceptionally(e);
              }
            },
            "kblake-ready");
    thread.setDaemon(true);
    thread.start();
    return answer;
  }
}
