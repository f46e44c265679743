package org.kblake.transfer.build;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.kblake.transfer.build.GathererSettings.Source;

/** Keeps a builder connected to a collector, with a thread. */
final class CollectorLink {

  private static final long MIN_PAUSE_MILLIS = 100;
  private static final long MAX_PAUSE_MILLIS = 5_000;

  private final Source source;
  private final long process;
  private final GathererSettings settings;
  private final Quota quota;
  private final Gatherer.Claims claims;
  private final Thread thread;
  private volatile boolean stopped;
  private volatile @Nullable CollectorSession session;
  private volatile long earlierBytes;

  CollectorLink(
      Source source, long process, GathererSettings settings, Quota quota, Gatherer.Claims claims) {
    this.source = source;
    this.process = process;
    this.settings = settings;
    this.quota = quota;
    this.claims = claims;
    thread = new Thread(this::connectAgain, "kblake-gather-" + this);
  }

  void start() {
    thread.start();
  }

  Source source() {
    return source;
  }

  long process() {
    return process;
  }

  GathererSettings settings() {
    return settings;
  }

  Quota quota() {
    return quota;
  }

  Gatherer.Claims claims() {
    return claims;
  }

  private void connectAgain() {
    long pause = MIN_PAUSE_MILLIS;
    String before = "";
    while (!stopped) {
      CollectorSession next = new CollectorSession(this);
      session = next;
      String problem = problem(next);
      earlierBytes += next.writtenBytes();
      session = null;
      if (stopped) {
        return;
      }
      if (next.writtenBytes() > 0) {
        pause = MIN_PAUSE_MILLIS;
      }
      if (next.writtenBytes() > 0 || !problem.equals(before)) {
        settings.log().warn("collector is lost: collector=" + this + ", " + problem);
      }
      before = problem;
      try {
        TimeUnit.MILLISECONDS.sleep(pause);
      } catch (InterruptedException e) {
        return;
      }
      pause = Math.min(MAX_PAUSE_MILLIS, 2 * pause);
    }
  }

  private static String problem(CollectorSession session) {
    try (session) {
      session.follow();
      return "the session has ended";
    } catch (IOException e) {
      String ofControl = session.reason();
      String message = ofControl == null ? e.getMessage() : ofControl;
      return message == null ? e.toString() : message;
    }
  }

  boolean isConnected() {
    CollectorSession now = session;
    return now != null && now.wasWelcome();
  }

  long writtenBytes() {
    CollectorSession now = session;
    return earlierBytes + (now == null ? 0 : now.writtenBytes());
  }

  /** Ends the connection and the thread. */
  void stop() {
    stopped = true;
    thread.interrupt();
    CollectorSession now = session;
    if (now != null) {
      now.close();
    }
  }

  void awaitEnd(long untilNanos) {
    try {
      long left = (untilNanos - System.nanoTime()) / 1_000_000;
      thread.join(Math.max(1, left));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Returns HOST:PORT. */
  @Override
  public String toString() {
    return source.address().getHostString() + ":" + source.address().getPort();
  }
}
