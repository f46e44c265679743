package org.kblake.transfer.build;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.kblake.transfer.line.Line;
import org.kblake.transfer.message.Control;
import org.kblake.transfer.message.ControlCodec;
import org.kblake.transfer.message.Frame;
import org.kblake.transfer.message.ProtocolException;
import org.kblake.transfer.message.SessionKey;

/** A connection to a collector: control and data. The calling thread writes what arrives. */
final class CollectorSession implements Closeable {

  /** The most letters of a text that are logged. */
  private static final int MAX_TEXT = 400;

  /** After this fraction of a window more credit is granted. */
  private static final int GRANTS = 4;

  private final CollectorLink link;
  private final GathererSettings settings;
  private final GivenGroups groups;

  private volatile boolean closed;
  private volatile @Nullable Instant since;
  private volatile @Nullable Line control;
  private volatile @Nullable Line data;
  private final AtomicLong written = new AtomicLong();

  /** The payload of files that has arrived, written or passed over. */
  private final AtomicLong received = new AtomicLong();

  private volatile long behind = -1;

  /** Why the control connection has ended; null if it has not, or without a reason. */
  private volatile @Nullable String reason;

  /** Whether the thread waits for bytes, and not for its disk. */
  private volatile boolean waits;

  private long granted;

  CollectorSession(CollectorLink link) {
    this.link = link;
    settings = link.settings();
    groups = new GivenGroups(link);
  }

  /** Returns when the collector welcomed the builder; null if it has not. */
  @Nullable Instant since() {
    return since;
  }

  /** Returns the pairs that have not arrived wholly; -1 if the collector has not said so. */
  long behindPairs() {
    return behind;
  }

  @Nullable String reason() {
    return reason;
  }

  long writtenBytes() {
    return written.get();
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
    link.failures().clear();
    since = Instant.now();
    settings.log().info("collector is connected: collector=" + link);
    Thread listener = new Thread(() -> listen(line), "kblake-gather-control-" + link);
    Thread beats = new Thread(this::beat, "kblake-gather-beat-" + link);
    try {
      listener.start();
      beats.start();
      grant();
      ByteBuffer buffer = link.buffer();
      while (!closed) {
        readFrame(frames, buffer);
      }
    } finally {
      close();
      beats.interrupt();
      groups.close();
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
    if (granted == 0 || received.get() + window - granted >= window / GRANTS) {
      granted = received.get() + window;
      send(new Control.Credit(granted));
    }
  }

  private void readFrame(Line frames, ByteBuffer buffer) throws IOException {
    waits = true;
    ByteBuffer header = buffer.clear().slice(0, Frame.HEADER_BYTES);
    frames.read(header);
    Frame frame = Frame.read(header.flip());
    ByteBuffer payload = buffer.slice(Frame.HEADER_BYTES, frame.length());
    frames.read(payload);
    waits = false;
    Frame.requireChecksum(header, payload.flip());
    switch (frame.kind()) {
      case GIVE -> send(groups.give(frame.number(), text(payload)));
      case LOG, INDEX -> append(frame, payload);
      case ASK -> answer(groups.ask(frame));
      case TAKE -> groups.remove(frame.number());
      case FAILED -> groups.fail(frame.number(), text(payload));
    }
  }

  private static String text(ByteBuffer payload) {
    String text = StandardCharsets.UTF_8.decode(payload).toString().replaceAll("\\p{Cntrl}", "?");
    return text.length() <= MAX_TEXT ? text : text.substring(0, MAX_TEXT) + "...";
  }

  private void append(Frame frame, ByteBuffer payload) throws IOException {
    Control answer = groups.append(frame, payload);
    written.addAndGet(frame.length() - payload.remaining());
    received.addAndGet(frame.length());
    answer(answer);
    grant();
  }

  private void answer(@Nullable Control message) throws IOException {
    if (message != null) {
      send(message);
    }
  }

  /** Reads what the collector says, until it is silent for too long. */
  private void listen(Line line) {
    long progress = received.get();
    long progressNanos = System.nanoTime();
    try {
      while (!closed) {
        if (!(ControlCodec.read(line.input()) instanceof Control.Beat beat)) {
          throw new ProtocolException("the collector sent a message of a builder");
        }
        long now = received.get();
        // What was sent last may be on its way.
        behind = now < beat.bytes() ? Math.max(1, beat.behind()) : beat.behind();
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
        send(new Control.Beat(received.get(), 0));
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
