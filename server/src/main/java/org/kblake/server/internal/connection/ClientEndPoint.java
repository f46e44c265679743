package org.kblake.server.internal.connection;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.io.ManagedSelector;
import org.eclipse.jetty.io.SocketChannelEndPoint;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.util.BufferUtil;
import org.eclipse.jetty.util.thread.Scheduler;
import org.jspecify.annotations.Nullable;

/**
 * The socket of a connection. It knows since when a header comes, and how many bytes have passed.
 * While a request is in work, nobody reads the socket; so it looks there for the end of the
 * connection, and keeps what it finds in place of this end.
 */
public final class ClientEndPoint extends SocketChannelEndPoint {

  private static final int KEPT_BYTES = 1024;

  private final Connections connections;
  private final Executor executor;
  private final @Nullable InetAddress remote;

  /** The time of {@link System#nanoTime} at which the header began; 0 if there is none. */
  private long headerNanos;

  /** The requests in work: 1, or for a moment 2. */
  private int works;

  /** Whether the request in work has a body. */
  private boolean hasBody;

  /** The bytes that passed in both directions. */
  private long bytes;

  /** The time since which the client is slow, and the bytes that had passed then. */
  private long slowNanos;

  private long slowBytes;

  /** What was read before anybody asked for it. */
  private ByteBuffer kept = BufferUtil.EMPTY_BUFFER;

  ClientEndPoint(
      SocketChannel channel,
      ManagedSelector selector,
      SelectionKey key,
      Scheduler scheduler,
      Executor executor,
      Connections connections) {
    super(channel, selector, key, scheduler);
    this.executor = executor;
    this.connections = connections;
    remote = getRemoteSocketAddress() instanceof InetSocketAddress of ? of.getAddress() : null;
  }

  /** Returns the connection of a request; null if it is none of this server's sockets. */
  public static @Nullable ClientEndPoint of(Request request) {
    EndPoint end = request.getConnectionMetaData().getConnection().getEndPoint();
    while (end instanceof EndPoint.Wrapper wrapper) {
      end = wrapper.unwrap();
    }
    return end instanceof ClientEndPoint client ? client : null;
  }

  /** Begins a request, whose header has come. */
  public synchronized void begin(boolean withBody) {
    works++;
    hasBody = withBody;
    headerNanos = 0;
    slowNanos = 0;
    connections.works(this);
  }

  /** Ends a request. */
  public synchronized void end() {
    if (--works == 0) {
      connections.waits(this);
    }
  }

  /**
   * Returns the address or network to which limits of a client apply; null if they do not, because
   * it is this host.
   */
  public @Nullable Object limited() {
    return Connections.isLocal(this) ? null : Connections.address(this);
  }

  /** Returns the client's address; null if the connection was reset before. */
  @Nullable InetAddress remote() {
    return remote;
  }

  /** Closes the connection on another thread, since this may be one of the selector's. */
  void closeLater() {
    getScheduler().schedule(this::close, 0, TimeUnit.MILLISECONDS);
  }

  @Override
  public void onOpen() {
    super.onOpen();
    connections.add(this);
  }

  @Override
  public void onClose(@Nullable Throwable cause) {
    super.onClose(cause);
    connections.remove(this);
  }

  @Override
  public synchronized int fill(ByteBuffer buffer) throws IOException {
    int filled;
    if (kept.hasRemaining()) {
      int position = BufferUtil.flipToFill(buffer);
      filled = BufferUtil.put(kept, buffer);
      BufferUtil.flipToFlush(buffer, position);
    } else {
      filled = super.fill(buffer);
    }
    if (filled > 0) {
      bytes += filled;
      if (works == 0 && headerNanos == 0) {
        headerNanos = System.nanoTime();
      }
    }
    return filled;
  }

  @Override
  public boolean flush(ByteBuffer... buffers) throws IOException {
    long before = BufferUtil.remaining(buffers);
    boolean flushed = super.flush(buffers);
    synchronized (this) {
      bytes += before - BufferUtil.remaining(buffers);
    }
    return flushed;
  }

  @Override
  protected synchronized void needsFillInterest() {
    if (kept.hasRemaining()) {
      executor.execute(getFillInterest()::fillable);
    } else {
      super.needsFillInterest();
    }
  }

  /**
   * Returns whether the client has ended the connection while its request is in work. A client that
   * has sent more than a thousand bytes behind the request is not noticed.
   */
  public synchronized boolean isLeft() {
    if (!isOpen()) {
      return true;
    }
    // If the socket is read, the end is noticed there.
    if (works == 0 || isFillInterested() || kept.remaining() == KEPT_BYTES) {
      return false;
    }
    ByteBuffer more = ByteBuffer.allocate(KEPT_BYTES);
    more.put(kept);
    try {
      if (getChannel().read(more) < 0) {
        return true;
      }
    } catch (IOException e) {
      return true;
    }
    more.flip();
    kept = more.hasRemaining() ? more : BufferUtil.EMPTY_BUFFER;
    return false;
  }

  /** Returns whether a header takes too long, or the client sends or takes too few bytes. */
  synchronized boolean isTooSlow(long nowNanos, long headerMostNanos, int leastBytesPerSecond) {
    if (headerNanos != 0) {
      return nowNanos - headerNanos > headerMostNanos;
    }
    boolean waitsForClient =
        works > 0 && (getWriteFlusher().isPending() || hasBody && isFillInterested());
    if (!waitsForClient || slowNanos == 0) {
      slowNanos = waitsForClient ? nowNanos : 0;
      slowBytes = bytes;
      return false;
    }
    long nanos = nowNanos - slowNanos;
    if (nanos <= headerMostNanos) {
      return false;
    }
    boolean slow = (bytes - slowBytes) * 1e9 / nanos < leastBytesPerSecond;
    slowNanos = nowNanos;
    slowBytes = bytes;
    return slow;
  }
}
