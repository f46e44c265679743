package org.kblake.transfer.collect;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import org.kblake.core.model.Group;
import org.kblake.transfer.line.Line;
import org.kblake.transfer.message.Control;
import org.kblake.transfer.message.Control.Hello;
import org.kblake.transfer.message.ControlCodec;
import org.kblake.transfer.message.Frame;
import org.kblake.transfer.message.ProtocolException;
import org.kblake.transfer.message.SessionKey;
import org.kblake.transfer.shape.BitRate;
import org.kblake.transfer.shape.SendingRate;

/** Gives the bytes of growing logs to builders, until it is closed. */
public final class Collector implements Closeable {

  private static final int MAX_BUILDERS = 128;
  private static final long LIST_MILLIS = 5;
  private static final long STOP_SECONDS = 5;

  private final CollectorSettings settings;
  private final PairList list;
  private final @Nullable SendingRate shared;
  private final ServerSocketChannel control;
  private final ServerSocketChannel data;
  private final Strangers strangers;
  private final ExecutorService threads;
  private final Map<SessionKey, BuilderSession> sessions = new ConcurrentHashMap<>();
  private final Builders builders = new Builders();

  private Collector(
      CollectorSettings settings, ServerSocketChannel control, ServerSocketChannel data) {
    this.settings = settings;
    this.control = control;
    this.data = data;
    list = new PairList(settings.root(), settings.log()::warn);
    strangers = new Strangers(settings.timeout(), settings.log());
    BitRate all = settings.endpoint().limits().all();
    shared = all == null ? null : new SendingRate(all, Frame.MAX_BYTES);
    AtomicInteger number = new AtomicInteger();
    threads =
        Executors.newCachedThreadPool(
            work -> new Thread(work, "kblake-gather-" + number.incrementAndGet()));
  }

  /**
   * Begins to listen. The caller closes the collector.
   *
   * @throws IOException if the root is no directory, or an address is not free
   */
  public static Collector start(CollectorSettings settings) throws IOException {
    if (!Files.isDirectory(settings.root())) {
      throw new IOException("the archive is not a directory: " + settings.root());
    }
    ServerSocketChannel control = listen(settings.endpoint().control());
    try {
      ServerSocketChannel data = listen(settings.endpoint().data());
      Collector collector = new Collector(settings, control, data);
      collector.threads.execute(collector::list);
      collector.threads.execute(() -> collector.accept(control, collector::control));
      collector.threads.execute(() -> collector.accept(data, collector::data));
      return collector;
    } catch (IOException e) {
      control.close();
      throw e;
    }
  }

  private static ServerSocketChannel listen(InetSocketAddress address) throws IOException {
    ServerSocketChannel server = ServerSocketChannel.open();
    try {
      return server.bind(address);
    } catch (IOException | RuntimeException e) {
      server.close();
      throw new IOException("cannot listen: address=" + address + ", " + e.getMessage(), e);
    }
  }

  /** Returns what the builders have that are connected. */
  public List<BuilderStatus> status() {
    return sessions.values().stream().map(BuilderSession::status).toList();
  }

  /** Ends the connections of builders that would be refused now. */
  public void endRefused() throws IOException {
    for (BuilderSession each : sessions.values()) {
      String refusal = refusal(each.hello());
      if (refusal != null) {
        settings.log().warn("builder is refused: name=" + each.hello().name() + ", " + refusal);
        each.close();
      }
    }
  }

  /** Returns the address of control connections. */
  public InetSocketAddress address() {
    return new InetSocketAddress(
        settings.endpoint().control().getAddress(), control.socket().getLocalPort());
  }

  /** Work on a connection, which ends with it. */
  private interface Work {
    void on(SocketChannel channel, Line line) throws IOException;
  }

  /** Looks for new pairs. */
  private void list() {
    String before = "";
    Set<Group> known = new HashSet<>();
    boolean first = true;
    while (control.isOpen()) {
      String problem = "";
      try {
        if (list.look()) {
          sessions.values().forEach(BuilderSession::wake);
          noteGroups(known);
        }
        if (first && list.pairs().isEmpty()) {
          settings.log().warn("there are no logs yet: archive=" + settings.root());
        }
        first = false;
      } catch (IOException | RuntimeException e) {
        problem = "the archive cannot be listed: " + e;
      }
      if (!problem.isEmpty() && !problem.equals(before)) {
        settings.log().warn(problem);
      }
      before = problem;
      if (!pause(LIST_MILLIS)) {
        return;
      }
    }
  }

  private void noteGroups(Set<Group> known) {
    for (Group each : list.pairs().keySet()) {
      if (known.add(each) && !settings.builders().names(each)) {
        settings.log().warn("group is in no entry of builders: group=" + each);
      }
    }
  }

  /** Returns the limits of a builder: its own first, so that it keeps nothing of the others. */
  private List<SendingRate> rates() {
    List<SendingRate> rates = new ArrayList<>();
    BitRate own = settings.endpoint().limits().builder();
    if (own != null) {
      rates.add(new SendingRate(own, Frame.MAX_BYTES));
    }
    if (shared != null) {
      rates.add(shared);
    }
    return rates;
  }

  private void accept(ServerSocketChannel server, Work work) {
    while (server.isOpen()) {
      try {
        SocketChannel channel = server.accept();
        if (!begin(channel, work)) {
          channel.close();
        }
      } catch (ClosedChannelException e) {
        return;
      } catch (IOException e) {
        strangers.warn("cannot accept a connection: " + e.getMessage());
        boolean unused = pause(100);
      }
    }
  }

  private boolean begin(SocketChannel channel, Work work) {
    try {
      strangers.add(channel);
      threads.execute(() -> serve(channel, work));
      return true;
    } catch (RejectedExecutionException e) {
      return false;
    } catch (OutOfMemoryError e) {
      // There are no more threads, maybe soon
      strangers.warn("cannot serve a connection: " + e.getMessage());
      return false;
    }
  }

  /** Returns false if the thread should end. */
  private static boolean pause(long millis) {
    try {
      Thread.sleep(millis);
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  private void serve(SocketChannel channel, Work work) {
    try (channel) {
      work.on(channel, Line.accepted(channel, tls(), settings.timeout()));
    } catch (BuilderLostException e) {
      if (control.isOpen()) {
        settings.log().warn(String.valueOf(e.getMessage()));
      }
    } catch (IOException e) {
      if (control.isOpen()) {
        strangers.warn("connection has ended: " + e.getMessage());
      }
    } finally {
      boolean unused = strangers.remove(channel);
    }
  }

  private @Nullable SSLContext tls() {
    Supplier<SSLContext> tls = settings.endpoint().tls();
    return tls == null ? null : tls.get();
  }

  /** The error of a connection whose builder is known. */
  private static final class BuilderLostException extends IOException {
    private static final long serialVersionUID = 1L;

    BuilderLostException(String builder, IOException cause) {
      super(
          "builder is lost: name="
              + builder
              + ", "
              + Objects.requireNonNullElse(cause.getMessage(), cause.toString()),
          cause);
    }
  }

  private void control(SocketChannel channel, Line line) throws IOException {
    Hello hello = hello(line);
    SessionKey key = SessionKey.random();
    BuilderSession session = new BuilderSession(hello, line, settings, list);
    String refusal =
        sessions.size() < MAX_BUILDERS
            ? refusal(hello)
            : "too many builders are connected: most=" + MAX_BUILDERS;
    if (refusal == null && !builders.add(session)) {
      refusal =
          "another process with this name is connected: name=" + hello.name() + "; set gather-name";
    }
    if (refusal != null) {
      line.write(ControlCodec.encode(new Control.Refused(refusal)));
      strangers.warn("builder is refused: peer=" + line.peer() + ", " + refusal);
      return;
    }
    sessions.put(key, session);
    try (session) {
      if (!strangers.remove(channel)) {
        throw new IOException("it said too late who it is");
      }
      welcome(session, key, line);
      threads.execute(() -> send(session));
      session.read();
    } catch (IOException e) {
      throw new BuilderLostException(hello.name(), e);
    } finally {
      sessions.remove(key);
      builders.remove(session);
    }
  }

  private void welcome(BuilderSession session, SessionKey key, Line line) throws IOException {
    String name = session.hello().name();
    settings.log().info("builder is connected: name=" + name + ", peer=" + line.peer());
    if (!settings.builders().names(name)) {
      settings.log().warn("builder is in no entry of builders: name=" + name);
    }
    line.write(ControlCodec.encode(new Control.Welcome(key, data.socket().getLocalPort())));
  }

  private Hello hello(Line line) throws IOException {
    try {
      if (ControlCodec.read(line.input()) instanceof Hello hello) {
        return hello;
      }
      throw new ProtocolException("the connection does not begin with a hello");
    } catch (ProtocolException e) {
      line.write(ControlCodec.encode(new Control.Refused(String.valueOf(e.getMessage()))));
      throw new IOException("peer=" + line.peer() + ", " + e.getMessage(), e);
    }
  }

  private @Nullable String refusal(Hello hello) {
    return BuilderMap.isName(hello.name())
        ? settings.endpoint().access().refusal(hello.name(), hello.token())
        : "not a name of a builder: " + hello.name();
  }

  private void send(BuilderSession session) {
    String name = session.hello().name();
    try (session) {
      session.send(group -> settings.builders().gives(group, name, builders::lostNanos), rates());
    } catch (IOException e) {
      if (builders.has(session)) {
        settings.log().warn("sending has ended: name=" + name + ", " + e.getMessage());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Joins a data connection to its session, which keeps it until it ends. */
  private void data(SocketChannel channel, Line line) throws IOException {
    ByteBuffer bytes = ByteBuffer.wrap(line.input().readNBytes(SessionKey.BYTES));
    BuilderSession session =
        bytes.remaining() < SessionKey.BYTES ? null : sessions.get(SessionKey.read(bytes));
    if (session == null || !strangers.remove(channel)) {
      throw new ProtocolException("data connection of no session: peer=" + line.peer());
    }
    line.timeout(Duration.ZERO);
    session.join(line);
    try {
      // The builder sends nothing more: this ends with the connection.
      int unused = line.input().read();
    } finally {
      session.close();
    }
  }

  @Override
  public void close() throws IOException {
    try (control;
        data;
        strangers) {
      for (BuilderSession each : sessions.values()) {
        each.close();
      }
    } finally {
      threads.shutdownNow();
    }
    try {
      // Ports are free when no thread waits for them any more.
      if (!threads.awaitTermination(STOP_SECONDS, TimeUnit.SECONDS)) {
        settings.log().warn("a connection does not end");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
