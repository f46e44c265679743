package org.kblake.record.channelaccess;

import java.net.InetSocketAddress;
import java.nio.channels.SocketChannel;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.kblake.record.channelaccess.message.MessageCommand;
import org.kblake.record.source.CircuitCounts;

/** A TCP connection to a server. The receiver owns its input, the sender its output. */
final class Circuit {

  /** Longer than the time after which a circuit counts as good. */
  private static final long UNUSED_NANOS = 15_000_000_000L;

  private final InetSocketAddress server;
  private final SocketChannel socket;
  private final CircuitInput input = new CircuitInput();
  private final CircuitOutput output = new CircuitOutput();
  private final Set<ClientChannel> channels = ConcurrentHashMap.newKeySet();
  private final long begunNanos;
  private final AtomicLong values = new AtomicLong();
  private final AtomicLong bytes = new AtomicLong();
  private final AtomicLong late = new AtomicLong();
  private long valuesTold;
  private long bytesTold;
  private volatile long lastReceivedNanos;
  private volatile int minorVersion;

  // Of the receiver.
  private boolean isSilent;

  // Of the sender.
  private volatile boolean isConnected;
  private boolean isEnded;
  private boolean isRestarted;
  private long askedNanos;
  private long usedNanos;

  /**
   * Creates a circuit whose socket connects.
   *
   * @param nowNanos the time, {@link System#nanoTime}
   */
  Circuit(InetSocketAddress server, SocketChannel socket, long nowNanos) {
    this.server = server;
    this.socket = socket;
    begunNanos = nowNanos;
    lastReceivedNanos = nowNanos;
    usedNanos = nowNanos;
  }

  InetSocketAddress server() {
    return server;
  }

  /** Returns the server's address and port. */
  String name() {
    return server.getAddress().getHostAddress() + ":" + server.getPort();
  }

  SocketChannel socket() {
    return socket;
  }

  CircuitInput input() {
    return input;
  }

  CircuitOutput output() {
    return output;
  }

  /** Returns the channels that have this circuit. The sender changes them. */
  Set<ClientChannel> channels() {
    return channels;
  }

  /** Of the sender: returns whether no channel needed the circuit for long. Called now and then. */
  boolean isUnused(long nowNanos) {
    if (!channels.isEmpty()) {
      usedNanos = nowNanos;
    }
    return nowNanos - usedNanos > UNUSED_NANOS;
  }

  long begunNanos() {
    return begunNanos;
  }

  /** Of the receiver: counts the bytes of a turn. */
  void received(long number, long nowNanos) {
    bytes.setRelease(bytes.getPlain() + number);
    lastReceivedNanos = nowNanos;
  }

  /**
   * Of the receiver: notes that it was late, so that the server may have dropped values.
   *
   * @param fromNanos when it looked last, in nanoseconds since 1970 UTC
   */
  void late(long fromNanos) {
    late.compareAndSet(0, fromNanos);
  }

  void receivedValue() {
    values.setRelease(values.getPlain() + 1);
  }

  long lastReceivedNanos() {
    return lastReceivedNanos;
  }

  /** Returns whether the server has sent nothing yet: perhaps it is none of Channel Access. */
  boolean isMute() {
    return bytes.get() == 0;
  }

  /** Of the receiver: returns whether the channels count as disconnected. */
  boolean isSilent() {
    return isSilent;
  }

  void setSilent(boolean silent) {
    isSilent = silent;
  }

  void setMinorVersion(int version) {
    minorVersion = version;
  }

  /** Returns whether the server takes searches. */
  boolean hasSearches() {
    return minorVersion >= MessageCommand.MINOR_VERSION_OF_SEARCHES;
  }

  /** Returns whether the server sends arrays with their present length on request. */
  boolean hasLengths() {
    return minorVersion >= MessageCommand.MINOR_VERSION_OF_LENGTHS;
  }

  boolean isConnected() {
    return isConnected;
  }

  void setConnected() {
    isConnected = true;
  }

  boolean isEnded() {
    return isEnded;
  }

  void setEnded() {
    isEnded = true;
  }

  /** Returns whether a beacon said that the server was restarted. */
  boolean isRestarted() {
    return isRestarted;
  }

  void setRestarted(boolean restarted) {
    isRestarted = restarted;
  }

  /** Returns when the server was asked for a sign of life, or 0. */
  long askedNanos() {
    return askedNanos;
  }

  void setAskedNanos(long nanos) {
    askedNanos = nanos;
  }

  /** Returns what was counted since the last call, to one thread at a time. */
  CircuitCounts counts() {
    long valuesBefore = valuesTold;
    long bytesBefore = bytesTold;
    valuesTold = values.get();
    bytesTold = bytes.get();
    return new CircuitCounts(
        name(),
        !isEnded,
        valuesTold - valuesBefore,
        bytesTold - bytesBefore,
        new CircuitCounts.Drops(late.getAndSet(0), 0));
  }
}
