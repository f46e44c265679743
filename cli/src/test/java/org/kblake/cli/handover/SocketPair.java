package org.kblake.cli.handover;

import java.io.Closeable;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.kblake.core.internal.log.file.FirstFailure;

/**
 * Two ends of a connection.
 *
 * @param own the end under test, in non-blocking mode
 * @param peer the other end, in blocking mode
 */
public record SocketPair(SocketChannel own, SocketChannel peer) implements Closeable {

  /** Connects two ends. */
  public static SocketPair in(Path directory) throws IOException {
    UnixDomainSocketAddress address = UnixDomainSocketAddress.of(directory.resolve("pair"));
    try (ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      server.bind(address);
      SocketChannel peer = SocketChannel.open(address);
      SocketChannel own = server.accept();
      own.configureBlocking(false);
      return new SocketPair(own, peer);
    }
  }

  /** Sends a text of the peer. */
  public void send(String text) throws IOException {
    ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
    while (bytes.hasRemaining()) {
      peer.write(bytes);
    }
  }

  @Override
  public void close() throws IOException {
    FirstFailure.closeAll(own, peer);
  }
}
