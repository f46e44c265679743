package org.kblake.transfer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.transfer.build.Gatherer;
import org.kblake.transfer.collect.Collector;
import org.kblake.transfer.fixture.Ends;
import org.kblake.transfer.fixture.RawBuilder;
import org.kblake.transfer.line.Line;
import org.kblake.transfer.message.Control;
import org.kblake.transfer.message.ControlCodec;
import org.kblake.transfer.message.Frame;

/** Peers that say too little, too much, or nothing, cost a collector little. */
@Timeout(180)
@SuppressWarnings("try") // collectors and builders work while they are open
class SilentPeersTest {

  @TempDir Path directory;

  private final Ends ends = new Ends();
  private Path source = Path.of("");

  @BeforeEach
  void makeRoot() throws IOException {
    source = directory.resolve("source");
    Files.createDirectories(source.resolve("VA"));
    Files.writeString(source.resolve("VA/CCG_20260101000000.log2"), "log");
  }

  @Test
  void aHelloHasOneDeadlineAsAWhole() throws Exception {
    try (Collector collector = ends.collector(source);
        Socket socket = connect(collector)) {
      OutputStream out = socket.getOutputStream();
      out.write(ByteBuffer.allocate(4).putInt(4_000).array());
      socket.setSoTimeout(200);
      int sent = 0;
      while (sent < 200 && !hasEnded(socket.getInputStream())) {
        sent++;
        out.write(1);
        out.flush();
      }
      assertThat(sent).isLessThan(200);
    }
  }

  private static boolean hasEnded(InputStream in) {
    try {
      return in.read() < 0;
    } catch (SocketTimeoutException e) {
      return false;
    } catch (IOException e) {
      return true;
    }
  }

  @Test
  void connectionsThatSayNothingHoldNoBuilderUpAndFillNoLog() throws Exception {
    Path target = Files.createDirectory(directory.resolve("target"));
    List<Socket> silent = new ArrayList<>();
    try (Collector collector = ends.collector(source)) {
      for (int i = 0; i < 300; i++) {
        silent.add(connect(collector));
      }
      try (Gatherer builder = ends.builder(target, "b", collector.address())) {
        ends.await("log", () -> builder.writtenBytes() == 3);
      }
      for (Socket each : silent) {
        each.close();
      }
      ends.await("line", () -> ends.said("connections"));
      assertThat(ends.lines().stream().filter(line -> line.contains("connection")))
          .hasSizeLessThan(5);
    }
  }

  private static Socket connect(Collector collector) throws IOException {
    return new Socket(collector.address().getAddress(), collector.address().getPort());
  }

  @Test
  void aBuilderWithoutCreditCostsNoTime() throws Exception {
    for (int i = 0; i < 300; i++) {
      Files.writeString(source.resolve("VA/G" + i + "_20260101000000.log2"), "log");
    }
    try (Collector collector = ends.collector(source);
        RawBuilder peer = new RawBuilder(collector.address())) {
      assertThat(peer.hello("b")).isInstanceOf(Control.Welcome.class);
      Line data = peer.join();
      // All of all groups, and not more
      long left = 301 * 3;
      peer.send(ControlCodec.encode(new Control.Credit(left)));
      ByteBuffer header = ByteBuffer.allocate(Frame.HEADER_BYTES);
      while (left > 0) {
        data.read(header.clear());
        Frame frame = Frame.read(header.flip());
        data.read(ByteBuffer.allocate(frame.length()));
        if (frame.kind() == Frame.Kind.GIVE) {
          peer.send(ControlCodec.encode(new Control.Has(frame.number(), 0, List.of())));
        } else {
          left -= frame.length();
        }
      }
      Thread.sleep(500);
      long before = cpuNanos();
      Thread.sleep(1_500);
      // Looks at each group would take more than a second here.
      assertThat(cpuNanos() - before).isLessThan(200_000_000);
    }
  }

  /** Returns the time of all threads of collectors. */
  private static long cpuNanos() {
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    return Stream.of(threads.getThreadInfo(threads.getAllThreadIds()))
        .filter(each -> each != null && each.getThreadName().startsWith("kblake-gather"))
        .mapToLong(each -> threads.getThreadCpuTime(each.getThreadId()))
        .sum();
  }

  @Test
  void answersThatNobodyAskedForEndTheConnection() throws Exception {
    try (Collector collector = ends.collector(source);
        RawBuilder peer = new RawBuilder(collector.address())) {
      assertThat(peer.hello("b")).isInstanceOf(Control.Welcome.class);
      peer.join().read(ByteBuffer.allocate(Frame.HEADER_BYTES));
      for (int i = 0; i < 3; i++) {
        peer.send(ControlCodec.encode(new Control.Denied(1, "no")));
      }
      ends.await("end", () -> ends.said("the builder answers what it was not asked"));
    }
  }

  @Test
  void whatIsNotSentIsSaid() throws Exception {
    Files.createSymbolicLink(source.resolve("BM"), Files.createDirectory(directory.resolve("x")));
    Files.writeString(source.resolve("VA/a b_20260101000000.log2"), "log");
    Files.writeString(source.resolve("VA/a b_20260101000000.log1"), "index");
    try (Collector collector = ends.collector(source, Ends.map("other=RF/*"));
        RawBuilder peer = new RawBuilder(collector.address())) {
      assertThat(peer.hello("b")).isInstanceOf(Control.Welcome.class);
      for (String each :
          List.of(
              "group is not sent, because of the letters in its name: VA/a b",
              "directory is not sent, because it is a link: " + source.resolve("BM"),
              "group is in no entry of builders: group=VA/CCG",
              "builder is in no entry of builders: name=b")) {
        ends.await(each, () -> ends.said(each));
        assertThat(ends.lines().stream().filter(line -> line.contains(each))).hasSize(1);
      }
    }
  }

  @Test
  void anArchiveThatDoesNotExistIsAnError() {
    assertThatThrownBy(() -> ends.collector(directory.resolve("sorce")))
        .hasMessage("the archive is not a directory: " + directory.resolve("sorce"));
  }
}
