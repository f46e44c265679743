package org.kblake.test.server;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/**
 * A server between a client and a server. It asks for small batches, and cuts answers after a
 * number of bytes.
 */
final class CuttingProxy implements AutoCloseable {

  private final ServerSocket listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
  private final int server;
  private final int rows;
  private final Thread thread = new Thread(this::serve, "cutting-proxy");
  private volatile long limit = Long.MAX_VALUE;
  private volatile long sent;

  /**
   * @param server the port of the server
   * @param rows the rows of a batch
   */
  CuttingProxy(int server, int rows) throws IOException {
    this.server = server;
    this.rows = rows;
    thread.start();
  }

  String url() {
    return "http://127.0.0.1:" + listening.getLocalPort();
  }

  /** Sets the number of bytes after which answers are cut. */
  void cutAfter(long bytes) {
    limit = bytes;
  }

  /** Returns the bytes of the last answer, with its header. */
  long sent() {
    return sent;
  }

  private void serve() {
    while (!listening.isClosed()) {
      try (Socket client = listening.accept();
          Socket upstream = new Socket(InetAddress.getLoopbackAddress(), server)) {
        String head = head(client.getInputStream());
        String asked =
            head.replaceFirst(" HTTP/1.1", "&rows=" + rows + " HTTP/1.1")
                .replaceFirst("(?i)Connection: .*\r\n", "")
                .replaceFirst("\r\n\r\n", "\r\nConnection: close\r\n\r\n");
        upstream.getOutputStream().write(asked.getBytes(StandardCharsets.ISO_8859_1));
        relay(upstream.getInputStream(), client);
      } catch (IOException e) {
        // The client or this proxy has ended.
      }
    }
  }

  private static String head(InputStream in) throws IOException {
    ByteArrayOutputStream head = new ByteArrayOutputStream();
    while (!head.toString(StandardCharsets.ISO_8859_1).endsWith("\r\n\r\n")) {
      int next = in.read();
      if (next < 0) {
        throw new IOException("no request");
      }
      head.write(next);
    }
    return head.toString(StandardCharsets.ISO_8859_1);
  }

  private void relay(InputStream from, Socket client) throws IOException {
    byte[] bytes = new byte[8192];
    long relayed = 0;
    while (relayed < limit) {
      int count = from.read(bytes, 0, (int) Math.min(bytes.length, limit - relayed));
      if (count < 0) {
        return;
      }
      client.getOutputStream().write(bytes, 0, count);
      relayed += count;
      sent = relayed;
    }
  }

  @Override
  public void close() throws IOException {
    // Ends the thread, too.
    listening.close();
  }
}
