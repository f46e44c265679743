package org.kblake.transfer.build;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.kblake.core.model.Group;
import org.kblake.transfer.TransferNames;
import org.kblake.transfer.line.Line;
import org.kblake.transfer.message.Control;
import org.kblake.transfer.message.ControlCodec;
import org.kblake.transfer.message.Frame;
import org.kblake.transfer.message.PairBytes;
import org.kblake.transfer.message.PairPosition;
import org.kblake.transfer.message.ProtocolException;
import org.kblake.transfer.message.SessionKey;

/** A connection to a collector: control and data. The calling thread writes what arrives. */
final class CollectorSession implements Closeable {

  private static final int MAX_GROUPS = 1 << 16;

  /** After this fraction of a window more credit is granted. */
  private static final int GRANTS = 4;

  private final CollectorLink link;
  private final GathererSettings settings;
  private final Map<Integer, TakenGroup> groups = new HashMap<>();
  private final ByteBuffer header = ByteBuffer.allocateDirect(Frame.HEADER_BYTES);
  private final ByteBuffer buffer = ByteBuffer.allocateDirect(Frame.MAX_BYTES);

  private volatile boolean closed;
  private volatile boolean welcome;
  private volatile @Nullable Line control;
  private volatile @Nullable Line data;
  private volatile long written;

  /** Why the control connection has ended; null if it has not, or without a reason. */
  private volatile @Nullable String reason;

  /** Whether the thread waits for bytes, and not for its disk. */
  private volatile boolean waits;

  private long granted;

  CollectorSession(CollectorLink link) {
    this.link = link;
    settings = link.settings();
  }

  boolean wasWelcome() {
    return welcome;
  }

  @Nullable String reason() {
    return reason;
  }

  long writtenBytes() {
    return written;
  }

  /**
   * Connects, and writes what arrives until the connection ends.
   *
   * @throws IOException always, with the reason, unless the session was closed
   */
  void follow() throws IOException {
    InetSocketAddress address = link.source().address();
    Line line = Line.connect(address, link.source().tls(), settings.timeout());
    control = line;
    Control.Welcome answer = greet(line);
    Line frames =
        Line.connect(
            new InetSocketAddress(address.getHostString(), answer.dataPort()),
            link.source().tls(),
            settings.timeout());
    data = frames;
    ByteBuffer key = ByteBuffer.allocate(SessionKey.BYTES);
    answer.session().put(key);
    frames.write(key.flip());
    // A collector may have nothing to say for hours. Beats tell whether it lives.
    frames.timeout(Duration.ZERO);
    welcome = true;
    settings.log().info("collector is connected: collector=" + link);
    Thread listener = new Thread(() -> listen(line), "kblake-gather-control-" + link);
    Thread beats = new Thread(this::beat, "kblake-gather-beat-" + link);
    try {
      listener.start();
      beats.start();
      grant();
      while (!closed) {
        readFrame(frames);
      }
    } finally {
      close();
      beats.interrupt();
      releaseAll();
    }
  }

  private Control.Welcome greet(Line line) throws IOException {
    send(new Control.Hello(link.source().name(), link.process(), link.source().token().get()));
    Control answer = ControlCodec.read(line.input());
    if (answer instanceof Control.Welcome greeting) {
      return greeting;
    }
    if (answer instanceof Control.Refused refused) {
      throw new IOException("refused: " + refused.reason());
    }
    throw new ProtocolException("the collector does not answer the hello");
  }

  private synchronized void send(Control message) throws IOException {
    Line line = control;
    if (line == null) {
      throw new IOException("not connected");
    }
    line.write(ControlCodec.encode(message));
  }

  private void grant() throws IOException {
    long window = settings.limits().windowBytes();
    if (granted == 0 || written + window - granted >= window / GRANTS) {
      granted = written + window;
      send(new Control.Credit(granted));
    }
  }

  private void readFrame(Line frames) throws IOException {
    waits = true;
    frames.read(header.clear());
    Frame frame = Frame.read(header.flip());
    frames.read(buffer.clear().limit(frame.length()));
    waits = false;
    Frame.requireChecksum(header, buffer.flip());
    switch (frame.kind()) {
      case GIVE -> take(frame.number(), text());
      case LOG, INDEX -> append(frame);
      case ASK -> {
        PairPosition position = group(frame).position(frame.stamp());
        send(new Control.Position(frame.number(), position));
      }
      case TAKE -> remove(frame.number());
      case FAILED -> {
        settings.log().warn("collector cannot send a group: collector=" + link + ", " + text());
        remove(frame.number());
      }
    }
  }

  private String text() {
    return StandardCharsets.UTF_8.decode(buffer).toString().replaceAll("\\p{Cntrl}", "?");
  }

  private TakenGroup group(Frame frame) throws ProtocolException {
    TakenGroup group = groups.get(frame.number());
    if (group == null) {
      throw new ProtocolException("frame is of no group: number=" + frame.number());
    }
    return group;
  }

  private void append(Frame frame) throws IOException {
    group(frame).append(frame, buffer);
    written += frame.length();
    grant();
  }

  private void take(int number, String name) throws IOException {
    Group group = TransferNames.group(name);
    if (groups.size() >= MAX_GROUPS || groups.containsKey(number)) {
      throw new ProtocolException("the collector gives too many groups, or one twice: " + name);
    }
    String denial = group == null ? "not a name of a group: " + name : denial(group);
    if (group != null && denial == null) {
      TakenGroup taken = new TakenGroup(group, settings.root(), link.quota());
      try {
        List<PairBytes> pairs = taken.pairs();
        link.claims().list().add(group);
        groups.put(number, taken);
        send(new Control.Has(number, settings.limits().since().getAsLong(), pairs));
        return;
      } catch (IOException e) {
        groups.remove(number);
        taken.close();
        link.claims().release(group, link);
        denial = String.valueOf(e.getMessage());
      }
    }
    settings.log().warn("group is not taken: collector=" + link + ", " + denial);
    send(new Control.Denied(number, String.valueOf(denial)));
  }

  private @Nullable String denial(Group group) {
    if (!settings.limits().permits(group)) {
      return "gather-groups does not grant the group: group=" + group;
    }
    CollectorLink holder = link.claims().claim(group, link);
    return holder == null
        ? null
        : "two collectors have the group: group=" + group + ", the other one=" + holder;
  }

  private void remove(int number) throws IOException {
    TakenGroup group = groups.remove(number);
    if (group != null) {
      link.claims().release(group.group(), link);
      group.close();
    }
  }

  private void releaseAll() throws IOException {
    for (Integer number : List.copyOf(groups.keySet())) {
      remove(number);
    }
  }

  /** Reads what the collector says, until it is silent for too long. */
  private void listen(Line line) {
    long progress = written;
    long progressNanos = System.nanoTime();
    try {
      while (!closed) {
        if (!(ControlCodec.read(line.input()) instanceof Control.Beat beat)) {
          throw new ProtocolException("the collector sent a message of a builder");
        }
        long now = written;
        if (now != progress || now >= beat.bytes() || !waits) {
          progress = now;
          progressNanos = System.nanoTime();
        } else if (System.nanoTime() - progressNanos >= settings.timeout().toNanos()) {
          throw new IOException("bytes that the collector has sent do not arrive");
        }
      }
    } catch (IOException e) {
      if (!closed) {
        reason = e.getMessage();
      }
    } finally {
      close();
    }
  }

  private void beat() {
    try {
      while (!closed) {
        send(new Control.Beat(written));
        TimeUnit.MILLISECONDS.sleep(Math.max(1, settings.timeout().toMillis() / 4));
      }
    } catch (IOException e) {
      close();
    } catch (InterruptedException e) {
      // The session has ended
    }
  }

  @Override
  public void close() {
    closed = true;
    for (Line line : new Line[] {control, data}) {
      try {
        if (line != null) {
          line.close();
        }
      } catch (IOException e) {
        settings.log().warn("cannot close a connection: " + e.getMessage());
      }
    }
  }
}
