package org.kblake.benchmarks.serve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class ServedConnectionTest {

  private static final String CHUNKED = "Transfer-Encoding: chunked";

  @Test
  void countsChunksOfAllSizes() throws Exception {
    byte[] large = new byte[100_000];
    byte[] small = {1, 2, 3, 4};
    assertThat(count(CHUNKED, chunk(large), chunk(small), "0\r\n\r\n")).isEqualTo(100_004);
  }

  @Test
  void countsABodyOfKnownLength() throws Exception {
    assertThat(count("Content-Length: 5", "\u0000\u0001\u0002\u0003\u0004")).isEqualTo(5);
  }

  @Test
  void refusesABodyThatIsCut() {
    String part = chunk(new byte[] {1, 2, 3, 4});
    assertThatThrownBy(() -> count(CHUNKED, part)).isInstanceOf(EOFException.class);
    assertThatThrownBy(() -> count("Content-Length: 500", part)).isInstanceOf(EOFException.class);
  }

  private static String chunk(byte[] bytes) {
    return Integer.toHexString(bytes.length)
        + "\r\n"
        + new String(bytes, StandardCharsets.ISO_8859_1)
        + "\r\n";
  }

  /** Returns the length of the body of an answer that is sent in pieces. */
  private static long count(String header, String... pieces) throws IOException {
    try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      CompletableFuture<Void> sent =
          CompletableFuture.runAsync(() -> send(server, "HTTP/1.1 200 OK\r\n" + header, pieces));
      byte[] tail = new byte[2];
      long count;
      try (ServedConnection connection = new ServedConnection(server.getLocalPort())) {
        connection.request("/");
        count = connection.skip(tail);
      }
      sent.join();
      assertThat(tail).isEqualTo(new byte[] {3, 4});
      return count;
    }
  }

  private static void send(ServerSocket server, String head, String... pieces) {
    try (Socket socket = server.accept()) {
      OutputStream out = socket.getOutputStream();
      int first = socket.getInputStream().read();
      assertThat(first).isEqualTo('G');
      out.write((head + "\r\n\r\n").getBytes(StandardCharsets.ISO_8859_1));
      for (String piece : pieces) {
        out.write(piece.getBytes(StandardCharsets.ISO_8859_1));
        out.flush();
      }
      socket.shutdownOutput();
      socket.getInputStream().readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
