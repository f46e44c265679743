package org.kblake.record.standby;

import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.recipes.leader.LeaderLatch;
import org.apache.curator.framework.state.SessionConnectionStateErrorPolicy;
import org.apache.curator.retry.RetryOneTime;
import org.kblake.cli.process.ThisProcess;
import org.kblake.cli.standby.Latch;
import org.kblake.cli.standby.LatchProvider;

/**
 * A latch across hosts: the leader of a path in ZooKeeper. A process that leads goes on when
 * ZooKeeper is away, until it learns that another one leads. Without ZooKeeper a process begins to
 * lead when no other one has worked for long.
 */
final class ZooKeeperLatch implements Latch {

  /** The time after which another process leads in place of one that is not heard. */
  static final Duration SESSION = Duration.ofSeconds(10);

  /** The time without an answer, and a sign of another process, after which one begins. */
  static final Duration SILENCE = Duration.ofMinutes(1);

  private static final String DEFAULT_PATH = "/kblake";
  private static final int RETRY_MILLIS = 100;

  private final CuratorFramework client;
  private final String path;
  private final String id = id();
  private final Duration session;
  private final long silentNanos;
  private final Consumer<String> notices;
  private final ScheduledExecutorService looks;
  private volatile boolean isHeld;

  /** When the last question began that ZooKeeper answered while this process led. */
  private volatile long confirmedNanos = System.nanoTime() - TimeUnit.DAYS.toNanos(1);

  /** When the last question began that ZooKeeper did not answer, if it answered none since. */
  private volatile long unansweredNanos;

  private volatile boolean isUnanswered;
  private volatile boolean isAble = true;

  /** When another process last worked, or ZooKeeper last answered. */
  private volatile long signNanos = System.nanoTime();

  /** Whether this process looks for signs of others. */
  private boolean isTold;

  /** Whether it began to lead without an answer. */
  private volatile boolean isAlone;

  private volatile LeaderLatch leader;
  private boolean hasJoined = true;
  private String said = "";

  private ZooKeeperLatch(
      CuratorFramework client,
      String path,
      Duration session,
      Duration silence,
      Consumer<String> notices) {
    this.client = client;
    this.path = path;
    this.session = session;
    this.notices = notices;
    // Up to half as long again, so that not all begin at once.
    silentNanos = silence.toNanos() + ThreadLocalRandom.current().nextLong(silence.toNanos() / 2);
    leader = new LeaderLatch(client, path, id);
    looks =
        Executors.newSingleThreadScheduledExecutor(
            task -> {
              Thread thread = new Thread(task, "kblake-standby");
              thread.setDaemon(true);
              return thread;
            });
  }

  /** Returns what other processes, also those of other hosts, say of this one. */
  private static String id() {
    return ThisProcess.pid() + "@" + ThisProcess.host() + "/" + System.nanoTime();
  }

  /** Begins to wait for the latch; {@link LatchProvider#connect} describes the parameters. */
  static ZooKeeperLatch connect(
      String servers, String name, Duration session, Duration silence, Consumer<String> notices) {
    int slash = servers.indexOf('/');
    String path = slash < 0 ? DEFAULT_PATH : servers.substring(slash);
    CuratorFramework client =
        CuratorFrameworkFactory.builder()
            .connectString(slash < 0 ? servers : servers.substring(0, slash))
            .sessionTimeoutMs(Math.toIntExact(session.toMillis()))
            .connectionTimeoutMs(Math.toIntExact(session.toMillis() / 5))
            .retryPolicy(new RetryOneTime(RETRY_MILLIS))
            .connectionStateErrorPolicy(new SessionConnectionStateErrorPolicy())
            .build();
    client.start();
    ZooKeeperLatch latch = new ZooKeeperLatch(client, path + "/" + name, session, silence, notices);
    try {
      latch.leader.start();
    } catch (Exception e) {
      client.close();
      throw new IllegalStateException("the latch could not be started: " + e, e);
    }
    long millis = session.toMillis() / 10;
    var unused = latch.looks.scheduleWithFixedDelay(latch::look, 0, millis, TimeUnit.MILLISECONDS);
    return latch;
  }

  private void look() {
    long begun = System.nanoTime();
    try {
      String first = leader.getLeader().getId();
      isUnanswered = false;
      signNanos = begun;
      if (leader.hasLeadership() && first.equals(id)) {
        confirmedNanos = begun;
        isHeld = true;
        isAlone = false;
        say("leads");
      } else if (!first.isEmpty() && !first.equals(id)) {
        isHeld = false;
        isAlone = false;
        say("another process leads: " + first);
      }
      joinOrLeave();
    } catch (Exception e) {
      if (!looks.isShutdown()) {
        unansweredNanos = begun;
        isUnanswered = true;
        beginAlone(begun);
        say((isHeld ? "goes on" : "stands by") + ", ZooKeeper does not answer: " + e);
      }
    }
  }

  /** Takes no part while this process cannot work, as long as another one does. */
  private void joinOrLeave() throws Exception {
    boolean hasOthers =
        leader.getParticipants().stream().anyMatch(each -> !each.getId().equals(id));
    if (hasJoined && isHeld && !isAble && hasOthers) {
      isHeld = false;
      hasJoined = false;
      leader.close();
      say("lets another process lead, because the disk does not answer");
    } else if (!hasJoined && (isAble || !hasOthers)) {
      LeaderLatch next = new LeaderLatch(client, path, id);
      next.start();
      leader = next;
      hasJoined = true;
    }
  }

  private synchronized void beginAlone(long now) {
    if (isTold && !isHeld && isAble && now - signNanos > silentNanos) {
      isHeld = true;
      isAlone = true;
    }
  }

  @Override
  public void setAble(boolean able) {
    isAble = able;
  }

  @Override
  public boolean isUnknown() {
    return isUnanswered;
  }

  @Override
  public synchronized void anotherWorks() {
    isTold = true;
    signNanos = System.nanoTime();
    if (isAlone) {
      isAlone = false;
      isHeld = false;
    }
  }

  @Override
  public boolean mayBegin() {
    return isConfirmed() || isAlone && mayWrite();
  }

  private void say(String line) {
    if (!said.equals(line)) {
      said = line;
      notices.accept(line);
    }
  }

  @Override
  public boolean isHeld() {
    return isHeld;
  }

  @Override
  public boolean isConfirmed() {
    return isHeld && System.nanoTime() - leaseEnd() < 0;
  }

  /** Before this nobody else leads: ZooKeeper ends a session so long after its last answer. */
  private long leaseEnd() {
    return confirmedNanos + session.toNanos();
  }

  @Override
  public boolean mayWrite() {
    // A question that began before this process was stopped tells nothing.
    boolean isUntold = isUnanswered && unansweredNanos - leaseEnd() > 0 && isRecent();
    return isConfirmed() || isHeld && isUntold;
  }

  private boolean isRecent() {
    return System.nanoTime() - unansweredNanos < session.toNanos();
  }

  /** Gives the latch back. */
  @Override
  public void close() {
    looks.shutdownNow();
    try {
      leader.close();
    } catch (Exception e) {
      // It was not started, or ZooKeeper is away: the session ends by itself.
    }
    client.close();
  }
}
