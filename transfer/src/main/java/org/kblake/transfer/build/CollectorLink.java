package org.kblake.transfer.build;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.kblake.core.model.Group;
import org.kblake.transfer.TransferLog;
import org.kblake.transfer.build.GathererSettings.Source;
import org.kblake.transfer.message.Frame;

/** Keeps a builder connected to a collector, with a thread. */
final class CollectorLink {

  private static final long MIN_PAUSE_MILLIS = 100;
  private static final long MAX_PAUSE_MILLIS = 5_000;

  /** The most groups that a collector gives. More would fill the list of groups. */
  private static final int MAX_GROUPS = 1 << 14;

  private final Source source;
  private final long process;
  private final GathererSettings settings;
  private final Quota quota;
  private final Claims claims;
  private final Failures failures = new Failures(System::nanoTime);
  private final Set<Group> given = new HashSet<>();
  private final Thread thread;
  private @Nullable ByteBuffer buffer;
  private volatile boolean stopped;
  private volatile @Nullable CollectorSession session;
  private final AtomicLong earlierBytes = new AtomicLong();
  private volatile String problem = "";

  CollectorLink(
      Source source, long process, GathererSettings settings, Quota quota, Claims claims) {
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

  TransferLog log() {
    return settings.log();
  }

  Quota quota() {
    return quota;
  }

  GroupList list() {
    return claims.list();
  }

  Failures failures() {
    return failures;
  }

  /** Returns memory for a frame, the same to each session. For the thread of the link. */
  ByteBuffer buffer() {
    if (buffer == null) {
      buffer = ByteBuffer.allocateDirect(Frame.HEADER_BYTES + Frame.MAX_BYTES);
    }
    return buffer;
  }

  /**
   * Takes the right to write a group. For the thread of the link.
   *
   * @return why the link does not get it; null if it does
   */
  @Nullable String claim(Group group) {
    if (!settings.limits().permits(group)) {
      return "gather-groups does not grant the group: group=" + group;
    }
    if (!given.contains(group) && given.size() >= MAX_GROUPS) {
      return "the collector gives too many groups: group=" + group + ", most=" + MAX_GROUPS;
    }
    given.add(group);
    CollectorLink holder = claims.claim(group, this);
    return holder == null
        ? null
        : "two collectors have the group: group=" + group + ", the other one=" + holder;
  }

  void release(Group group) {
    claims.release(group, this);
  }

  private void connectAgain() {
    long pause = MIN_PAUSE_MILLIS;
    while (!stopped) {
      CollectorSession next = new CollectorSession(this);
      session = next;
      String now = problem(next);
      earlierBytes.addAndGet(next.writtenBytes());
      session = null;
      if (stopped) {
        return;
      }
      if (next.writtenBytes() > 0) {
        pause = MIN_PAUSE_MILLIS;
      }
      if (next.writtenBytes() > 0 || !now.equals(problem)) {
        log().warn("collector is lost: collector=" + this + ", " + now);
      }
      problem = now;
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
    } catch (RuntimeException e) {
      // A thread that ends would end the link, and nothing would say so.
      return "unexpected: " + e;
    }
  }

  boolean isConnected() {
    CollectorSession now = session;
    return now != null && now.since() != null;
  }

  CollectorStatus status() {
    CollectorSession now = session;
    return new CollectorStatus(
        toString(),
        now == null ? null : now.since(),
        problem,
        now == null ? -1 : now.behindPairs(),
        failures.now());
  }

  long writtenBytes() {
    CollectorSession now = session;
    return earlierBytes.get() + (now == null ? 0 : now.writtenBytes());
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
