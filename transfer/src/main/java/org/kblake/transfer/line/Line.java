package org.kblake.transfer.line;

import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.WritableByteChannel;
import java.time.Duration;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;

/**
 * A connection. One thread reads at a time, and one writes. Another may close it, which ends both.
 */
public final class Line implements Closeable {

  private static final int READ_BYTES = 1 << 15;

  private final SocketChannel channel;
  private final @Nullable SSLSocket tls;

  private Line(SocketChannel channel, @Nullable SSLSocket tls) {
    this.channel = channel;
    this.tls = tls;
  }

  /**
   * Connects.
   *
   * @param tls null for no TLS; otherwise the certificate must be of the address's host
   * @param timeout of the connection, and of reads through {@link #input}
   */
  public static Line connect(InetSocketAddress address, @Nullable SSLContext tls, Duration timeout)
      throws IOException {
    // A name is resolved again at each attempt, because hosts move.
    InetSocketAddress now = new InetSocketAddress(address.getHostString(), address.getPort());
    if (now.isUnresolved()) {
      throw new IOException("unknown host: " + address.getHostString());
    }
    SocketChannel channel = SocketChannel.open();
    try {
      channel.socket().connect(now, (int) timeout.toMillis());
      return of(channel, tls, timeout, address);
    } catch (Throwable e) {
      channel.close();
      throw e;
    }
  }

  /**
   * Returns the connection of a channel that was accepted. A handshake happens at the first read.
   *
   * @param tls null for no TLS
   */
  public static Line accepted(SocketChannel channel, @Nullable SSLContext tls, Duration timeout)
      throws IOException {
    return of(channel, tls, timeout, null);
  }

  private static Line of(
      SocketChannel channel,
      @Nullable SSLContext context,
      Duration timeout,
      @Nullable InetSocketAddress server)
      throws IOException {
    channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
    channel.socket().setSoTimeout((int) timeout.toMillis());
    if (context == null) {
      return new Line(channel, null);
    }
    String host = server == null ? null : server.getHostString();
    int port = server == null ? 0 : server.getPort();
    SSLSocket socket =
        (SSLSocket) context.getSocketFactory().createSocket(channel.socket(), host, port, true);
    socket.setUseClientMode(server != null);
    SSLParameters parameters = socket.getSSLParameters();
    parameters.setProtocols(new String[] {"TLSv1.3"});
    if (server != null) {
      parameters.setEndpointIdentificationAlgorithm("HTTPS");
    }
    socket.setSSLParameters(parameters);
    return new Line(channel, socket);
  }

  /** Returns what reads bytes, with the timeout of the connection. Not buffered. */
  public InputStream input() throws IOException {
    return tls == null ? channel.socket().getInputStream() : tls.getInputStream();
  }

  /**
   * Sets the timeout of reads through {@link #input} and, with TLS, of {@link #read}.
   *
   * @param timeout 0 for none
   */
  public void timeout(Duration timeout) throws IOException {
    channel.socket().setSoTimeout((int) timeout.toMillis());
    if (tls != null) {
      tls.setSoTimeout((int) timeout.toMillis());
    }
  }

  /**
   * Fills a buffer, without the timeout.
   *
   * @throws EOFException if the connection ends before
   */
  public void read(ByteBuffer buffer) throws IOException {
    if (tls != null) {
      readStream(buffer, tls.getInputStream());
      return;
    }
    while (buffer.hasRemaining()) {
      if (channel.read(buffer) < 0) {
        throw ended();
      }
    }
  }

  private static void readStream(ByteBuffer buffer, InputStream in) throws IOException {
    byte[] bytes = new byte[Math.min(buffer.remaining(), READ_BYTES)];
    while (buffer.hasRemaining()) {
      int count = in.read(bytes, 0, Math.min(bytes.length, buffer.remaining()));
      if (count < 0) {
        throw ended();
      }
      buffer.put(bytes, 0, count);
    }
  }

  private static EOFException ended() {
    return new EOFException("the other side has closed the connection");
  }

  /** Writes all bytes of a buffer. */
  public void write(ByteBuffer buffer) throws IOException {
    WritableByteChannel out = output();
    while (buffer.hasRemaining()) {
      out.write(buffer);
    }
  }

  private WritableByteChannel output() throws IOException {
    if (tls == null) {
      return channel;
    }
    OutputStream stream = tls.getOutputStream();
    return Channels.newChannel(stream);
  }

  /** Returns whether {@link #transfer} spares copies. */
  public boolean transfers() {
    return tls == null;
  }

  /**
   * Writes bytes of a file.
   *
   * @throws EOFException if the file is shorter
   */
  public void transfer(FileChannel file, long offset, long bytes) throws IOException {
    long done = 0;
    while (done < bytes) {
      long count = file.transferTo(offset + done, bytes - done, channel);
      if (count <= 0 && offset + done >= file.size()) {
        throw new EOFException("the file became shorter");
      }
      done += count;
    }
  }

  /** Returns the address of the other side, for messages. */
  public String peer() {
    try {
      return String.valueOf(channel.getRemoteAddress()).replaceFirst("^.*/", "");
    } catch (IOException e) {
      return "a closed connection";
    }
  }

  /**
   * Closes the connection at once, without the farewell of TLS, which a paused peer would hold up.
   */
  @Override
  public void close() throws IOException {
    channel.close();
  }
}
