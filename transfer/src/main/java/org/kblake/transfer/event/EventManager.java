package org.kblake.transfer.event;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.kblake.transfer.TransferLog;
import org.kblake.transfer.collect.BuilderMap;
import org.kblake.transfer.collect.Strangers;
import org.kblake.transfer.line.Line;
import org.kblake.transfer.message.EventCodec;
import org.kblake.transfer.message.EventMessage;
import org.kblake.transfer.message.EventMessage.Assign;
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
  private static final long PAUSE_NANOS = 100_000_000;

  private final ServerSocketChannel listener = ServerSocketChannel.open();
  private final Thread accepting = new Thread(this::accept, "kblake-event-accept");
  private final Duration timeout;
  private final TransferLog log;
  private final BlockingQueue<Said> said = new LinkedBlockingQueue<>(MOST_WAITING * MOST_WINDOW);
  private final List<Peer> collectors = new ArrayList<>();
  private final List<Peer> builders = new ArrayList<>();
  private final Strangers strangers;
  private final Semaphore places = new Semaphore(MOST_WAITING);

  /** The names of those that were refused, each of which is said once. */
  private final Set<String> refused = new HashSet<>();

  private boolean begun;

  /** One of the other sides. */
  static final class Peer {

    final EventLine line;
    final boolean builds;
    final EventPeer data;
    private final Semaphore unread = new Semaphore(MOST_WINDOW + 8);
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
    strangers = new Strangers(timeout, log);
    listener.setOption(StandardSocketOptions.SO_REUSEADDR, true).bind(address);
    accepting.setDaemon(true);
    accepting.start();
  }

  /** Returns where it listens. */
  public InetSocketAddress address() throws IOException {
    return (InetSocketAddress) listener.getLocalAddress();
  }

  private void accept() {
    while (listener.isOpen()) {
      try {
        SocketChannel channel = listener.accept();
        if (places.tryAcquire()) {
          strangers.add(channel);
          Thread reader = new Thread(() -> read(channel), "kblake-event-peer");
          reader.setDaemon(true);
          reader.start();
        } else {
          channel.close();
          strangers.warn("too many connections");
        }
      } catch (IOException e) {
        // The listener was closed, or this process has too many files open.
        if (listener.isOpen()) {
          strangers.warn("cannot accept a connection: " + e.getMessage());
          LockSupport.parkNanos(PAUSE_NANOS);
        }
      }
    }
  }

  private void read(SocketChannel channel) {
    try {
      String host = channel.socket().getInetAddress().getHostAddress();
      // A scope is of this host only.
      String plain = host.replaceFirst("%.*", "");
      EventLine line = new EventLine(Line.accepted(channel, null, timeout));
      try {
        if (!(line.read() instanceof Hello hello)) {
          throw new ProtocolException("the first message is no hello");
        }
        if (!BuilderMap.isName(hello.name())) {
          throw new ProtocolException("not a name: " + hello.name());
        }
        if (strangers.remove(channel)) {
          converse(
              new Peer(line, hello.builds(), new EventPeer(hello.name(), plain, hello.port())));
        }
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
    } finally {
      boolean unused = strangers.remove(channel);
      places.release();
    }
  }

  private void converse(Peer peer) throws InterruptedException {
    try {
      said.put(new Said(peer, new Hello(peer.builds, peer.data.name(), peer.data.port()), ""));
      // From now on both sides say that they live.
      peer.line.send(new Assign(List.of()));
      while (true) {
        EventMessage message = peer.line.read();
        if (message instanceof Assign beat && beat.tickets().isEmpty()) {
          continue;
        }
        if (message instanceof Hello || message instanceof Begin || message instanceof Assign) {
          throw new ProtocolException("a message that only a manager sends");
        }
        peer.unread.acquire();
        said.put(new Said(peer, message, ""));
      }
    } catch (IOException e) {
      said.put(new Said(peer, null, String.valueOf(e.getMessage())));
    }
  }

  /**
   * Lets events be built, until all have an outcome or the time is over.
   *
   * @return if a collector or all builders are lost, what was built until then
   * @throws IOException if they do not come, or one is lost before all are ready
   */
  public EventReport run(EventPlan plan) throws IOException, InterruptedException {
    plan.check();
    await(
        plan,
        "wait for " + plan.collectors() + " collectors and " + plan.builders() + " builders",
        () -> collectors.size() == plan.collectors() && builders.size() == plan.builders());
    begin(plan);
    await(plan, "wait until all are ready", () -> isReady(collectors) && isReady(builders));
    EventShares shares = new EventShares(plan, builders, collectors);
    String problem = null;
    try {
      assign(shares, plan);
    } catch (IOException e) {
      problem = String.valueOf(e.getMessage());
      log.warn(problem);
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
        end(builders, plan),
        problem);
  }

  private void assign(EventShares shares, EventPlan plan) throws IOException, InterruptedException {
    while (!shares.isOver(System.nanoTime())) {
      Said next = poll(shares.assign(System.nanoTime()));
      while (next != null) {
        if (next.message() instanceof Outcome outcome) {
          shares.end(outcome, next.peer(), System.nanoTime());
        } else {
          take(next, plan);
          if (next.peer().lost()) {
            shares.lose(next.peer());
          }
        }
        next = poll(0);
      }
    }
  }

  private @Nullable Said poll(long nanos) throws InterruptedException {
    Said next = said.poll(nanos, TimeUnit.NANOSECONDS);
    if (next != null && next.message() != null && !(next.message() instanceof Hello)) {
      next.peer().unread.release();
    }
    return next;
  }

  private void begin(EventPlan plan) throws IOException {
    begun = true;
    List<EventPeer> from = collectors.stream().map(peer -> peer.data).toList();
    List<EventPeer> to = builders.stream().map(peer -> peer.data).toList();
    checkReach(to, from);
    if (plan.pulls()) {
      checkReach(from, to);
    }
    List<ByteBuffer> instants = new ArrayList<>();
    for (int first = 0; first < plan.nanos().size(); first += Instants.MOST) {
      int end = Math.min(plan.nanos().size(), first + Instants.MOST);
      instants.add(EventCodec.encode(new Instants(plan.nanos().subList(first, end))));
    }
    EventSession session =
        new EventSession(
            new SecureRandom().nextLong(),
            0,
            plan.pulls(),
            plan.tcp(),
            plan.deadline().toNanos(),
            plan.nanos().size(),
            plan.channels(),
            from,
            to);
    for (List<Peer> peers : List.of(collectors, builders)) {
      for (int i = 0; i < peers.size(); i++) {
        EventLine line = peers.get(i).line;
        line.send(new Begin(session.of(i)));
        for (ByteBuffer each : instants) {
          line.send(each);
        }
      }
    }
  }

  /** Checks that some sides can be reached by others at the addresses that the manager sees. */
  static void checkReach(List<EventPeer> peers, List<EventPeer> others) throws IOException {
    for (EventPeer peer : peers) {
      if (isLoopback(peer) && !others.stream().allMatch(EventManager::isLoopback)) {
        throw new IOException(
            peer.name()
                + " is connected by loopback, where others do not reach it: name the manager by"
                + " its address");
      }
    }
  }

  private static boolean isLoopback(EventPeer peer) {
    return peer.host().startsWith("127.") || peer.host().equals("0:0:0:0:0:0:0:1");
  }

  private static boolean isReady(List<Peer> peers) {
    return peers.stream().allMatch(peer -> peer.ready || peer.lost);
  }

  private interface Condition {
    boolean isMet();
  }

  private void await(EventPlan plan, String what, Condition condition)
      throws IOException, InterruptedException {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(WAIT_SECONDS);
    while (!condition.isMet()) {
      Said next = poll(end - System.nanoTime());
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
    if (message instanceof Hello) {
      enter(peer, peers, peer.builds ? plan.builders() : plan.collectors());
    } else if (!peers.contains(peer)) {
      return;
    } else if (message == null) {
      leave(peer, peers, next.error());
    } else if (message instanceof Refused no) {
      leave(peer, peers, no.reason());
      peer.line.closeQuietly();
    } else if (message instanceof Ready ready && begun && !peer.ready) {
      peer.ready = true;
      for (Peer builder : peer.builds ? List.<Peer>of() : builders) {
        builder.line.send(new Ready(collectors.indexOf(peer), ready.columns()));
      }
    } else if (message instanceof Tally tally) {
      peer.tally = tally;
    }
  }

  private void enter(Peer peer, List<Peer> peers, int most) throws IOException {
    String name = peer.data.name();
    boolean twice = peers.stream().anyMatch(other -> other.data.name().equals(name));
    if (begun || twice || peers.size() == most) {
      String reason =
          twice
              ? "a second one with this name: " + name
              : "the session has all that it needs: " + most;
      if (refused.size() < MOST_WAITING && refused.add(name)) {
        log.warn("refused " + peer.line.peer() + ": " + reason);
      }
      peer.line.send(new Refused(reason));
      peer.line.end();
    } else {
      peers.add(peer);
      log.info((peer.builds ? "builder " : "collector ") + name + " is connected");
    }
  }

  private void leave(Peer peer, List<Peer> peers, String error) throws IOException {
    if (peer.lost) {
      return;
    }
    peer.lost = true;
    String text =
        (peer.builds ? "builder " : "collector ") + peer.data.name() + " is lost: " + error;
    if (!begun) {
      peers.remove(peer);
      log.warn(text);
    } else if (peer.builds && builders.stream().anyMatch(builder -> !builder.lost)) {
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
        Said next = poll(end - System.nanoTime());
        if (next == null) {
          log.warn(peer.data.name() + " does not tell what it counted");
          break;
        }
        try {
          take(next, plan);
        } catch (IOException e) {
          log.warn(String.valueOf(e.getMessage()));
        }
      }
      sum = peer.tally == null ? sum : sum.plus(peer.tally);
    }
    return sum;
  }

  @Override
  public void close() throws IOException {
    listener.close();
    strangers.close();
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
