package org.kblake.record.channelaccess;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.DatagramChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.function.LongSupplier;
import org.kblake.record.channelaccess.message.MalformedMessageException;
import org.kblake.record.channelaccess.message.MessageParser;
import org.kblake.record.source.DisconnectReason;
import org.kblake.record.source.EventQueue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The thread that only reads sockets. It never sends, decodes no value and waits for nothing but
 * bytes.
 */
final class Receiver implements Runnable {

  private static final Logger LOG = LoggerFactory.getLogger(Receiver.class);

  private static final long NANOS_PER_MILLI = 1_000_000;

  /** A turn begins at least as often, so that each long time is one without a look at sockets. */
  private static final long LONGEST_WAIT_MILLIS = 50;

  /** The time since the turn before after which bytes have waited. */
  private static final long LATE_NANOS = 3 * LONGEST_WAIT_MILLIS * NANOS_PER_MILLI;

  /**
   * If so many bytes waited, a server may not have got rid of others: of a connection that is not
   * read Linux may keep no more than 100 KiB.
   */
  private static final long FULL_BYTES = 1 << 15;

  /** A circuit with more bytes waits for its next turn. */
  private static final int READS_OF_TURN = 8;

  private final Selector selector;
  private final CircuitMessages messages;
  private final MessageParser parser;
  private final EventQueue events;
  private final ReceiverTasks tasks;
  private final LongSupplier clock;
  private final ByteBuffer received = ByteBuffer.allocateDirect(CircuitInput.SHARED_BYTES);
  private final Tasks requests = new Tasks();

  /** When the last two turns began. */
  private long turnNanos;

  private long turnBeforeNanos;

  private volatile boolean isStopped;

  /**
   * Creates a receiver.
   *
   * @param clock the time in nanoseconds since 1970 UTC
   * @throws IOException if the system has no more descriptors
   */
  Receiver(CircuitMessages messages, EventQueue events, ReceiverTasks tasks, LongSupplier clock)
      throws IOException {
    selector = Selector.open();
    this.messages = messages;
    parser = new MessageParser(messages);
    this.events = events;
    this.tasks = tasks;
    this.clock = clock;
  }

  /** Receives answers to searches, and beacons. Called before the thread starts. */
  void add(DatagramChannel socket, SearchAnswers answers) throws ClosedChannelException {
    socket.register(selector, SelectionKey.OP_READ, answers);
  }

  /** Receives from a circuit that is connected, until it ends. */
  void add(Circuit circuit) {
    request(
        () -> {
          try {
            circuit.socket().register(selector, SelectionKey.OP_READ, circuit);
          } catch (ClosedChannelException e) {
            end(circuit, DisconnectReason.CIRCUIT_CLOSED);
          }
        });
  }

  /** Ends a circuit. */
  void requestEnd(Circuit circuit, DisconnectReason reason) {
    request(
        () -> {
          if (circuit.socket().isOpen()) {
            end(circuit, reason);
          }
        });
  }

  /** Disconnects the channels of a circuit until the next byte. May be called again. */
  void silence(Circuit circuit) {
    request(
        () -> {
          // A byte may have arrived since the sender looked.
          long silence = System.nanoTime() - circuit.lastReceivedNanos();
          if (circuit.socket().isOpen()
              && !circuit.isSilent()
              && silence > CircuitLiveness.ANSWER_NANOS) {
            messages.silence(circuit, clock.getAsLong());
          }
        });
  }

  private void request(Runnable task) {
    requests.add(task);
    selector.wakeup();
  }

  /** Lets the thread end. */
  void stop() {
    isStopped = true;
    selector.wakeup();
  }

  @Override
  public void run() {
    try (selector) {
      turnNanos = System.nanoTime();
      while (!isStopped) {
        selector.select(LONGEST_WAIT_MILLIS);
        turnBeforeNanos = turnNanos;
        turnNanos = System.nanoTime();
        if (turnNanos - turnBeforeNanos > LATE_NANOS) {
          // A wait that ends while the process is stopped does not look at the sockets.
          selector.selectNow();
        }
        requests.run();
        for (SelectionKey key : selector.selectedKeys()) {
          if (key.isValid() && key.attachment() instanceof Circuit circuit) {
            read(circuit);
          } else if (key.isValid() && key.attachment() instanceof SearchAnswers answers) {
            answers.read();
          }
        }
        selector.selectedKeys().clear();
        events.signal();
      }
    } catch (IOException e) {
      throw new UncheckedIOException("sockets can no longer be read", e);
    }
  }

  private void read(Circuit circuit) {
    CircuitInput input = circuit.input();
    try {
      long bytes = 0;
      for (int i = 0; i < READS_OF_TURN; i++) {
        int number = input.read(circuit.socket(), received);
        // Not before the read: the thread may wait for its core in between.
        messages.begin(circuit, clock.getAsLong());
        if (number < 0) {
          end(circuit, DisconnectReason.CIRCUIT_CLOSED);
          return;
        }
        bytes += number;
        if (number > 0 && circuit.isSilent()) {
          messages.resume(circuit);
        }
        input.parse(parser, received);
        if (!input.wasFull()) {
          break;
        }
      }
      long now = System.nanoTime();
      circuit.received(bytes, now);
      long waited = now - turnBeforeNanos;
      if (waited > LATE_NANOS && bytes >= FULL_BYTES) {
        circuit.late(clock.getAsLong() - waited);
      }
    } catch (MalformedMessageException e) {
      LOG.warn("{}: {}", circuit.server(), e.getMessage());
      end(circuit, DisconnectReason.MALFORMED_MESSAGES);
    } catch (IOException e) {
      LOG.debug("{}: {}", circuit.server(), e.getMessage());
      end(circuit, DisconnectReason.CIRCUIT_CLOSED);
    } catch (RuntimeException | OutOfMemoryError e) {
      LOG.error("{}: the circuit ends", circuit.server(), e);
      end(circuit, DisconnectReason.CIRCUIT_CLOSED);
    }
  }

  private void end(Circuit circuit, DisconnectReason reason) {
    try {
      circuit.socket().close();
    } catch (IOException e) {
      LOG.debug("{}: {}", circuit.server(), e.getMessage());
    }
    messages.end(circuit, reason, clock.getAsLong());
    tasks.ended(circuit);
  }
}
