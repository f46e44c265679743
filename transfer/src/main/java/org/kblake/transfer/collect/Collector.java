package org.kblake.transfer.collect;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
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

  private static final int MAX_CONNECTIONS = 256;
  private static final long STOP_SECONDS = 5;

  private final CollectorSettings settings;
  private final PairList list;
  private final @Nullable SendingRate shared;
  private final ServerSocketChannel control;
  private final ServerSocketChannel data;
  private final Semaphore places = new Semaphore(MAX_CONNECTIONS);
  private final ExecutorService threads;
  private final Map<SessionKey, BuilderSession> sessions = new ConcurrentHashMap<>();
  private final Builders builders = new Builders();

  private Collector(
      CollectorSettings settings, ServerSocketChannel control, ServerSocketChannel data) {
    this.settings = settings;
    this.control = control;
    this.data = data;
    list = new PairList(settings.root());
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
   * @throws IOException if an address is not free
   */
  public static Collector start(CollectorSettings settings) throws IOException {
    ServerSocketChannel control = listen(settings.endpoint().control());
    try {
      ServerSocketChannel data = listen(settings.endpoint().data());
      Collector collector = new Collector(settings, control, data);
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
    void on(Line line) throws IOException, InterruptedException;
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
        settings.log().warn("cannot accept a connection: " + e.getMessage());
        pause();
      }
    }
  }

  private boolean begin(SocketChannel channel, Work work) {
    if (!places.tryAcquire()) {
      return false;
    }
    try {
      threads.execute(() -> serve(channel, work));
      return true;
    } catch (RejectedExecutionException e) {
      return false;
    }
  }

  private static void pause() {
    try {
      Thread.sleep(100);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void serve(SocketChannel channel, Work work) {
    try (channel) {
      work.on(Line.accepted(channel, tls(), settings.timeout()));
    } catch (IOException e) {
      if (control.isOpen() && e.getMessage() != null) {
        settings.log().warn("connection has ended: " + e.getMessage());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      places.release();
    }
  }

  private @Nullable SSLContext tls() {
    Supplier<SSLContext> tls = settings.endpoint().tls();
    return tls == null ? null : tls.get();
  }

  private void control(Line line) throws IOException, InterruptedException {
    Hello hello = hello(line);
    SessionKey key = SessionKey.random();
    BuilderSession session = new BuilderSession(hello, line, settings, list);
    String refusal = refusal(hello);
    if (refusal == null && !builders.add(session)) {
      refusal =
          "another process with this name is connected: name=" + hello.name() + "; set gather-name";
    }
    if (refusal != null) {
      line.write(ControlCodec.encode(new Control.Refused(refusal)));
      settings.log().warn("builder is refused: peer=" + line.peer() + ", " + refusal);
      return;
    }
    sessions.put(key, session);
    String peer = line.peer();
    settings.log().info("builder is connected: name=" + hello.name() + ", peer=" + peer);
    try (session) {
      line.write(ControlCodec.encode(new Control.Welcome(key, data.socket().getLocalPort())));
      threads.execute(() -> send(session));
      session.read();
    } catch (IOException e) {
      throw new IOException("builder is lost: name=" + hello.name() + ", " + e.getMessage(), e);
    } finally {
      sessions.remove(key);
      builders.remove(session);
    }
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
      session.send(group -> settings.assignment().gives(group, name, builders), rates());
    } catch (IOException e) {
      if (builders.has(session)) {
        settings.log().warn("sending has ended: name=" + name + ", " + e.getMessage());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Joins a data connection to its session, which keeps it until it ends. */
  private void data(Line line) throws IOException, InterruptedException {
    ByteBuffer bytes = ByteBuffer.wrap(line.input().readNBytes(SessionKey.BYTES));
    BuilderSession session =
        bytes.remaining() < SessionKey.BYTES ? null : sessions.get(SessionKey.read(bytes));
    if (session == null) {
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
        data) {
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
