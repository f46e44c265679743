package org.kblake.transfer.collect;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.kblake.core.model.Group;
import org.kblake.transfer.line.Line;
import org.kblake.transfer.message.Control;
import org.kblake.transfer.message.Control.Hello;
import org.kblake.transfer.message.ControlCodec;
import org.kblake.transfer.message.ProtocolException;
import org.kblake.transfer.shape.SendingRate;

/** A builder that is connected: a thread reads its messages, another one sends frames. */
final class BuilderSession implements Closeable {

  /** How long the sender rests while files grow, and while they do not, in nanoseconds. */
  static final long ACTIVE_NANOS = 2_000_000;

  static final long IDLE_NANOS = 10_000_000;
  private static final long UPDATE_NANOS = 100_000_000;

  private final Hello hello;
  private final Line control;
  private final CollectorSettings settings;
  private final PairList list;
  private final Credit credit = new Credit();
  private final CompletableFuture<Line> data = new CompletableFuture<>();
  private volatile boolean closed;
  private volatile long written;
  private volatile @Nullable FrameOutput output;
  private volatile @Nullable Feeds feeds;

  BuilderSession(Hello hello, Line control, CollectorSettings settings, PairList list) {
    this.hello = hello;
    this.control = control;
    this.settings = settings;
    this.list = list;
  }

  Hello hello() {
    return hello;
  }

  BuilderStatus status() {
    FrameOutput sender = output;
    Feeds all = feeds;
    return new BuilderStatus(
        hello.name(),
        sender == null ? 0 : sender.sentBytes(),
        written,
        all == null ? 0 : all.missingPairs(),
        all == null ? List.of() : all.failures());
  }

  /** Takes the data connection, which this session then closes. */
  void join(Line line) throws IOException {
    boolean joined = data.complete(line);
    if (closed || !joined) {
      line.close();
    }
  }

  /** Reads messages of the builder until the connection ends, which it reports as an error. */
  void read() throws IOException {
    InputStream in = control.input();
    while (true) {
      Control message = ControlCodec.read(in);
      if (message instanceof Control.Credit granted) {
        credit.grant(granted.totalBytes());
      } else if (message instanceof Control.Beat beat) {
        written = beat.bytes();
        FrameOutput sender = output;
        Feeds receiver = feeds;
        long sent = sender == null ? 0 : sender.sentBytes();
        control.write(
            ControlCodec.encode(new Control.Beat(sent, receiver == null ? 1 : receiver.behind())));
      } else if (message instanceof Control.Has
          || message instanceof Control.Position
          || message instanceof Control.Denied) {
        Feeds receiver = feeds;
        if (receiver == null) {
          throw new ProtocolException("the builder answers before anything was sent");
        }
        receiver.answer(message);
        credit.wake();
      } else {
        throw new ProtocolException("the builder sent a message of a collector");
      }
    }
  }

  /**
   * Sends frames until the connection ends.
   *
   * @param wanted the groups that the builder has now
   * @param rates each of them limits what is sent
   */
  @SuppressWarnings("ReferenceEquality") // unchanged pairs are the same object
  void send(Predicate<Group> wanted, List<SendingRate> rates)
      throws IOException, InterruptedException {
    FrameOutput out = new FrameOutput(dataLine(), credit, rates);
    output = out;
    try (Feeds all = new Feeds(list, out, settings.log())) {
      feeds = all;
      Object seen = null;
      long updated = 0;
      while (!closed) {
        long signals = credit.signals();
        if (seen != list.pairs() || System.nanoTime() - updated >= UPDATE_NANOS) {
          seen = list.pairs();
          all.update(wanted);
          updated = System.nanoTime();
        }
        if (out.isExhausted()) {
          credit.await(signals, UPDATE_NANOS);
        } else if (!all.send()) {
          // Groups that are due soon are looked at together.
          credit.await(signals, Math.max(ACTIVE_NANOS, all.dueIn()));
        }
      }
    }
  }

  /** Lets the sender look at once. */
  void wake() {
    credit.wake();
  }

  private Line dataLine() throws IOException, InterruptedException {
    try {
      return data.get(settings.timeout().toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException | ExecutionException e) {
      throw new IOException("the builder opens no data connection", e);
    }
  }

  @Override
  public void close() throws IOException {
    closed = true;
    credit.wake();
    Line line = data.getNow(null);
    try (control) {
      if (line != null) {
        line.close();
      }
    }
  }
}
