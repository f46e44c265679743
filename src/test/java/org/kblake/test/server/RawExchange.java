package org.kblake.test.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** A connection to a server that sends bytes as they are. */
public final class RawExchange implements AutoCloseable {

  private static final int TIMEOUT_MILLIS = 20_000;

  private static final int SMALL_WINDOW_BYTES = 4096;

  private final Socket socket;

  public RawExchange(int port) throws IOException {
    this(port, 0, null);
  }

  private RawExchange(int port, int windowBytes, @Nullable String address) throws IOException {
    socket = new Socket();
    if (address != null) {
      socket.bind(new InetSocketAddress(address, 0));
    }
    if (windowBytes > 0) {
      socket.setReceiveBufferSize(windowBytes);
    }
    socket.setSoTimeout(TIMEOUT_MILLIS);
    socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
  }

  /** Opens a connection that takes few bytes that are not read. */
  public static RawExchange withSmallWindow(int port) throws IOException {
    return new RawExchange(port, SMALL_WINDOW_BYTES, null);
  }

  /** Opens a connection from an address of this host, such as 127.0.0.2. */
  public static RawExchange from(String address, int port) throws IOException {
    return new RawExchange(port, 0, address);
  }

  /** Sends a request and returns the whole answer. */
  public static String ask(int port, String request) throws IOException {
    try (RawExchange exchange = new RawExchange(port)) {
      exchange.send(request);
      return exchange.rest();
    }
  }

  /** Returns a request without a body, whose connection ends with the answer. */
  public static String request(String method, String path, String... headers) {
    return method
        + " "
        + path
        + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
        + (headers.length == 0 ? "" : String.join("\r\n", headers) + "\r\n")
        + "\r\n";
  }

  public void send(String text) throws IOException {
    socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
  }

  /**
   * Returns whether the server has ended the connection.
   *
   * @throws AssertionError if it has sent anything
   */
  public boolean hasEnded() throws IOException {
    socket.setSoTimeout(1);
    try {
      assertThat(socket.getInputStream().read()).as("the byte that was sent").isNegative();
      return true;
    } catch (SocketTimeoutException e) {
      return false;
    } catch (SocketException e) {
      return true;
    } finally {
      socket.setSoTimeout(TIMEOUT_MILLIS);
    }
  }

  /** Reads until the server ends the connection. */
  public String rest() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try {
      socket.getInputStream().transferTo(bytes);
    } catch (SocketException e) {
      // The server cut the connection: what came before counts
    }
    return bytes.toString(StandardCharsets.ISO_8859_1);
  }

  /** Reads as far as the end of a text. */
  public String readUntil(String end) throws IOException {
    StringBuilder text = new StringBuilder();
    while (text.indexOf(end) < 0) {
      int next = socket.getInputStream().read();
      if (next < 0) {
        break;
      }
      text.append((char) next);
    }
    return text.toString();
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
