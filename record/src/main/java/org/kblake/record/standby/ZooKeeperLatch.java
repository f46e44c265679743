package org.kblake.record.standby;

import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
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
 * ZooKeeper is away, until it learns that another one leads. None begins to lead without ZooKeeper.
 */
final class ZooKeeperLatch implements Latch {

  /** The time after which another process leads in place of one that is not heard. */
  static final Duration SESSION = Duration.ofSeconds(10);

  private static final String DEFAULT_PATH = "/kblake";
  private static final int RETRY_MILLIS = 100;

  private final CuratorFramework client;
  private final LeaderLatch leader;
  private final Duration session;
  private final Consumer<String> notices;
  private final ScheduledExecutorService looks;
  private volatile boolean isHeld;

  /** When the last question began that ZooKeeper answered while this process led. */
  private volatile long confirmedNanos;

  /** When the last question began that ZooKeeper did not answer, if it answered none since. */
  private volatile long unansweredNanos;

  private volatile boolean isUnanswered;
  private String said = "";

  private ZooKeeperLatch(
      CuratorFramework client, String path, Duration session, Consumer<String> notices) {
    this.client = client;
    this.session = session;
    this.notices = notices;
    leader = new LeaderLatch(client, path, id());
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
      String servers, String name, Duration session, Consumer<String> notices) {
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
    ZooKeeperLatch latch = new ZooKeeperLatch(client, path + "/" + name, session, notices);
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
      if (leader.hasLeadership() && first.equals(leader.getId())) {
        confirmedNanos = begun;
        isHeld = true;
        say("leads");
      } else if (!first.isEmpty() && !first.equals(leader.getId())) {
        isHeld = false;
        say("another process leads: " + first);
      }
    } catch (Exception e) {
      if (!looks.isShutdown()) {
        unansweredNanos = begun;
        isUnanswered = true;
        say((isHeld ? "goes on" : "stands by") + ", ZooKeeper does not answer: " + e);
      }
    }
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
    boolean isAlone = isUnanswered && unansweredNanos - leaseEnd() > 0 && isRecent();
    return isConfirmed() || isHeld && isAlone;
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
