package org.kblake.transfer.event;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.kblake.transfer.TransferLog;
import org.kblake.transfer.line.Line;
import org.kblake.transfer.message.EventMessage;
import org.kblake.transfer.message.EventMessage.Begin;
import org.kblake.transfer.message.EventMessage.End;
import org.kblake.transfer.message.EventMessage.Hello;
import org.kblake.transfer.message.EventMessage.Instants;
import org.kblake.transfer.message.EventMessage.Outcome;
import org.kblake.transfer.message.EventMessage.Ready;
import org.kblake.transfer.message.EventMessage.Refused;
import org.kblake.transfer.message.EventMessage.Tally;
import org.kblake.transfer.message.EventPeer;
import org.kblake.transfer.message.EventSession;
import org.kblake.transfer.message.ProtocolException;

/** The manager of event builders: waits for both kinds, and assigns each event to a builder. */
public final class EventManager implements Closeable {

  /** The most events that a builder has at a time. */
  public static final int MOST_WINDOW = 256;

  private static final int MOST_WAITING = 256;
  private static final long WAIT_SECONDS = 30;
  private static final long END_SECONDS = 5;

  private final ServerSocketChannel listener = ServerSocketChannel.open();
  private final Thread accepting = new Thread(this::accept, "kblake-event-accept");
  private final Duration timeout;
  private final TransferLog log;
  private final BlockingQueue<Said> said = new LinkedBlockingQueue<>(MOST_WAITING * MOST_WINDOW);
  private final List<Peer> collectors = new ArrayList<>();
  private final List<Peer> builders = new ArrayList<>();

  /** One of the other sides. */
  static final class Peer {

    final EventLine line;
    final boolean builds;
    final EventPeer data;
    private boolean lost;
    private boolean ready;
    private @Nullable Tally tally;

    private Peer(EventLine line, boolean builds, EventPeer data) {
      this.line = line;
      this.builds = builds;
      this.data = data;
    }

    boolean lost() {
      return lost;
    }
  }

  /** A message; null if the connection has ended. */
  private record Said(Peer peer, @Nullable EventMessage message, String error) {}

  /** Listens. */
  public EventManager(InetSocketAddress address, Duration timeout, TransferLog log)
      throws IOException {
    this.timeout = timeout;
    this.log = log;
    listener.setOption(StandardSocketOptions.SO_REUSEADDR, true).bind(address);
    accepting.setDaemon(true);
    accepting.start();
  }

  /** Returns where it listens. */
  public InetSocketAddress address() throws IOException {
    return (InetSocketAddress) listener.getLocalAddress();
  }

  private void accept() {
    try {
      while (true) {
        SocketChannel channel = listener.accept();
        Thread reader = new Thread(() -> read(channel), "kblake-event-peer");
        reader.setDaemon(true);
        reader.start();
      }
    } catch (IOException e) {
      // The listener was closed.
    }
  }

  private void read(SocketChannel channel) {
    try {
      String host = channel.socket().getInetAddress().getHostAddress();
      EventLine line = new EventLine(Line.accepted(channel, null, timeout));
      try {
        if (!(line.read() instanceof Hello hello)) {
          throw new ProtocolException("the first message is no hello");
        }
        channel.socket().setSoTimeout(0);
        converse(new Peer(line, hello.builds(), new EventPeer(hello.name(), host, hello.port())));
      } catch (ProtocolException e) {
        log.warn("refused " + line.peer() + ": " + e.getMessage());
        line.send(new Refused(String.valueOf(e.getMessage())));
        line.finish(TimeUnit.SECONDS.toMillis(1));
      } finally {
        line.close();
      }
    } catch (IOException e) {
      // It has gone.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void converse(Peer peer) throws InterruptedException {
    try {
      said.put(new Said(peer, new Hello(peer.builds, peer.data.name(), peer.data.port()), ""));
      while (true) {
        said.put(new Said(peer, peer.line.read(), ""));
      }
    } catch (IOException e) {
      said.put(new Said(peer, null, String.valueOf(e.getMessage())));
    }
  }

  /**
   * Lets events be built, until all have an outcome or the time is over.
   *
   * @throws IOException if a collector or all builders are lost, or do not come
   */
  public EventReport run(EventPlan plan) throws IOException, InterruptedException {
    await(
        plan,
        "wait for " + plan.collectors() + " collectors and " + plan.builders() + " builders",
        () -> collectors.size() == plan.collectors() && builders.size() == plan.builders());
    begin(plan);
    await(plan, "wait until all are ready", () -> isReady(collectors) && isReady(builders));
    EventShares shares = new EventShares(plan, builders, collectors);
    while (!shares.isOver(System.nanoTime())) {
      long wait = shares.assign(System.nanoTime());
      Said next = said.poll(wait, TimeUnit.NANOSECONDS);
      while (next != null) {
        if (next.message() instanceof Outcome outcome) {
          shares.end(outcome, next.peer(), System.nanoTime());
        } else {
          take(next, plan);
          if (next.peer().lost()) {
            shares.lose(next.peer());
          }
        }
        next = said.poll();
      }
    }
    EventReport report = shares.report();
    return new EventReport(
        report.events(),
        report.assigned(),
        report.built(),
        report.lost(),
        report.again(),
        report.seconds(),
        report.names(),
        end(collectors, plan),
        end(builders, plan));
  }

  private void begin(EventPlan plan) throws IOException {
    EventSession session =
        new EventSession(
            new SecureRandom().nextLong(),
            0,
            plan.pulls(),
            plan.tcp(),
            plan.deadline().toNanos(),
            plan.nanos().size(),
            plan.channels(),
            collectors.stream().map(peer -> peer.data).toList(),
            builders.stream().map(peer -> peer.data).toList());
    for (List<Peer> peers : List.of(collectors, builders)) {
      for (int i = 0; i < peers.size(); i++) {
        EventLine line = peers.get(i).line;
        line.send(new Begin(session.of(i)));
        for (int from = 0; from < plan.nanos().size(); from += Instants.MOST) {
          int to = Math.min(plan.nanos().size(), from + Instants.MOST);
          line.send(new Instants(plan.nanos().subList(from, to)));
        }
      }
    }
  }

  private static boolean isReady(List<Peer> peers) {
    return peers.stream().allMatch(peer -> peer.ready);
  }

  private interface Condition {
    boolean isMet();
  }

  private void await(EventPlan plan, String what, Condition condition)
      throws IOException, InterruptedException {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(WAIT_SECONDS);
    while (!condition.isMet()) {
      Said next = said.poll(end - System.nanoTime(), TimeUnit.NANOSECONDS);
      if (next == null) {
        throw new IOException(
            "after 30 s still in: "
                + what
                + "; connected: "
                + (collectors.size() + " collectors, " + builders.size() + " builders"));
      }
      take(next, plan);
    }
  }

  private void take(Said next, EventPlan plan) throws IOException {
    Peer peer = next.peer();
    EventMessage message = next.message();
    List<Peer> peers = peer.builds ? builders : collectors;
    if (message == null) {
      leave(peer, peers, next.error());
    } else if (message instanceof Hello) {
      enter(peer, peers, peer.builds ? plan.builders() : plan.collectors());
    } else if (message instanceof Refused refused) {
      throw new IOException(refused.reason());
    } else if (message instanceof Ready ready) {
      peer.ready = true;
      if (!peer.builds) {
        for (Peer builder : builders) {
          builder.line.send(new Ready(collectors.indexOf(peer), ready.columns()));
        }
      }
    } else if (message instanceof Tally tally) {
      peer.tally = tally;
    }
  }

  private void enter(Peer peer, List<Peer> peers, int most) throws IOException {
    boolean twice = peers.stream().anyMatch(other -> other.data.name().equals(peer.data.name()));
    if (twice || peers.size() == most) {
      String reason =
          twice
              ? "a second one with this name: " + peer.data.name()
              : "the session has all that it needs: " + most;
      log.warn("refused " + peer.line.peer() + ": " + reason);
      peer.line.send(new Refused(reason));
    } else {
      peers.add(peer);
      log.info((peer.builds ? "builder " : "collector ") + peer.data.name() + " is connected");
    }
  }

  private void leave(Peer peer, List<Peer> peers, String error) throws IOException {
    if (!peers.contains(peer)) {
      return;
    }
    peer.lost = true;
    String text =
        (peer.builds ? "builder " : "collector ") + peer.data.name() + " is lost: " + error;
    if (peer.builds && builders.stream().anyMatch(builder -> !builder.lost)) {
      log.warn(text);
    } else {
      throw new IOException(text);
    }
  }

  private Tally end(List<Peer> peers, EventPlan plan) throws IOException, InterruptedException {
    for (Peer peer : peers) {
      peer.line.send(new End());
    }
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(END_SECONDS);
    Tally sum = new Tally(0, 0, 0, 0, 0, 0);
    for (Peer peer : peers) {
      while (!peer.lost && peer.tally == null) {
        Said next = said.poll(end - System.nanoTime(), TimeUnit.NANOSECONDS);
        if (next == null) {
          log.warn(peer.data.name() + " does not tell what it counted");
          break;
        }
        take(next, plan);
      }
      sum = peer.tally == null ? sum : sum.plus(peer.tally);
    }
    return sum;
  }

  @Override
  public void close() throws IOException {
    listener.close();
    try {
      accepting.join(TimeUnit.SECONDS.toMillis(1));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    for (List<Peer> peers : List.of(collectors, builders)) {
      for (Peer peer : peers) {
        peer.line.close();
      }
    }
  }
}
