package org.kblake.cli.kblogrd.format;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class LineOutputTest {

  /** Records the bytes of each call of write. */
  private static final class Writes extends OutputStream {
    private final List<byte[]> writes = new ArrayList<>();

    @Override
    public void write(int b) {
      throw new AssertionError("bytes come in pieces");
    }

    @Override
    public void write(byte[] bytes, int from, int length) {
      writes.add(Arrays.copyOfRange(bytes, from, from + length));
    }
  }

  /** A pipe accepts up to 4096 bytes completely or not at all. A single line may be longer. */
  @Test
  void everyWriteHasWholeLinesAndIsSmallUnlessALineIsLong() throws IOException {
    long seed = 42;
    System.out.println("LineOutputTest: seed=" + seed);
    SplittableRandom random = new SplittableRandom(seed);
    Writes writes = new Writes();
    LineOutput out = new LineOutput(writes);
    ByteArrayOutputStream expected = new ByteArrayOutputStream();
    for (int i = 0; i < 20_000; i++) {
      int length = random.nextInt(100) == 0 ? random.nextInt(20_000) : random.nextInt(200);
      byte[] line = "x".repeat(length).getBytes(StandardCharsets.US_ASCII);
      out.text().put(line);
      out.endLine();
      expected.write(line);
      expected.write('\n');
      if (random.nextInt(50) == 0) {
        out.flush();
      }
    }
    out.flush();
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (byte[] write : writes.writes) {
      all.write(write);
      assertThat(write[write.length - 1]).isEqualTo((byte) '\n');
      boolean oneLine =
          new String(write, StandardCharsets.US_ASCII).indexOf('\n') == write.length - 1;
      assertThat(write.length <= LineOutput.WRITE_BYTES || oneLine).isTrue();
    }
    assertThat(all.toByteArray()).isEqualTo(expected.toByteArray());
  }

  @Test
  void recentLinesAreNotWrittenAtOnce() throws IOException {
    Writes writes = new Writes();
    LineOutput out = new LineOutput(writes);
    long begin = System.nanoTime();
    out.text().put(new byte[] {'a'});
    out.endLine();
    out.flushIfDue(begin);
    long end = System.nanoTime();
    assertThat(writes.writes).as("the first line").hasSize(1);
    out.text().put(new byte[] {'b'});
    out.endLine();
    // The first line was written between begin and end.
    out.flushIfDue(begin + LineOutput.FLUSH_NANOS);
    assertThat(writes.writes).as("just flushed").hasSize(1);
    out.flushIfDue(end + LineOutput.FLUSH_NANOS + 1);
    assertThat(writes.writes).hasSize(2);
  }

  @Test
  void nothingIsWrittenOnceItIsStopped() throws Exception {
    Writes writes = new Writes();
    LineOutput out = new LineOutput(writes);
    Thread stopper = new Thread(out::stop);
    stopper.start();
    stopper.join();
    CountDownLatch started = new CountDownLatch(1);
    Thread writer =
        new Thread(
            () -> {
              try {
                out.text().put(new byte[] {'a'});
                out.endLine();
                started.countDown();
                out.flush();
              } catch (IOException e) {
                throw new AssertionError(e);
              }
            });
    writer.setDaemon(true);
    writer.start();
    started.await();
    writer.join(50);
    assertThat(writer.isAlive()).isTrue();
    assertThat(writes.writes).isEmpty();
  }
}
