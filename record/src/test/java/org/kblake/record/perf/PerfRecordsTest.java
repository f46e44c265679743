package org.kblake.record.perf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.kblake.core.internal.fixture.Seeds;

/** What is read of streams that perf wrote, and of bytes that it never writes. */
final class PerfRecordsTest {

  private final List<String> told = new ArrayList<>();

  /** Hands out few bytes at a time, as a pipe may. */
  private static final class Trickle extends ByteArrayInputStream {
    private final int most;

    Trickle(byte[] bytes, int most) {
      super(bytes);
      this.most = most;
    }

    @Override
    public synchronized int read(byte[] to, int from, int length) {
      return super.read(to, from, Math.min(most, length));
    }
  }

  private final PerfHandler handler =
      new PerfHandler() {
        @Override
        public void sample(PerfSample sample) {
          told.add(
              sample.core
                  + " "
                  + sample.pid
                  + "/"
                  + sample.tid
                  + " "
                  + sample.monotonicNanos
                  + " "
                  + Long.toHexString(sample.address)
                  + (sample.counts.length == 0 ? "" : " " + Arrays.toString(sample.counts)));
        }

        @Override
        public void lost(int core, long samples) {
          told.add(core + " lost " + samples);
        }

        @Override
        public void endOfBatch() {}
      };

  private List<String> read(byte[] bytes, int most) throws IOException {
    told.clear();
    new PerfRecords(new Trickle(bytes, most), handler).readAll();
    return List.copyOf(told);
  }

  private static byte[] recorded(String name) throws IOException {
    try (InputStream in = PerfRecordsTest.class.getResourceAsStream(name)) {
      return Objects.requireNonNull(in).readAllBytes();
    }
  }

  /** The expected numbers are those of {@code perf script} of the same file. */
  @Test
  void samplesHaveTheNumbersThatPerfPrints() throws IOException {
    List<String> samples = read(recorded("addresses.perf"), Integer.MAX_VALUE);
    assertThat(samples)
        .hasSize(40)
        .startsWith("0 9564/9570 69820340535420 7fc6a9925567")
        .endsWith("0 9564/9570 69820379527859 7fc6a990cd26");
    assertThat(read(recorded("addresses.perf"), 7)).isEqualTo(samples);
  }

  @Test
  void countsAreThoseOfTheGroupWithoutItsClock() throws IOException {
    assertThat(read(recorded("counters.perf"), Integer.MAX_VALUE))
        .hasSize(40)
        .startsWith(
            "0 18642/18662 70009827119413 ffffffff821f2e25 [22, 0]",
            "0 18642/18662 70009828104040 7f4f994388ac [54, 3]");
  }

  @Test
  void whatIsLostBelongsToACore() throws IOException {
    PerfStream stream = new PerfStream().samples(1, 1, 8, 0x10).lost(1, 17).samples(1, 0, 9, 0x20);
    List<String> read = read(stream.record(13, 56).record(200, 8).toBytes(), 5);
    assertThat(read).hasSize(4);
    assertThat(read.get(0)).startsWith("1 7/8 ").endsWith(" 10");
    assertThat(read.get(1)).isEqualTo("1 lost 17");
    assertThat(read.get(3)).isEqualTo("0 lost 0");
  }

  @Test
  void aLastRecordThatIsCutIsLeftOut() throws IOException {
    byte[] bytes = new PerfStream().samples(2, 0, 8, 0x10).toBytes();
    assertThat(read(Arrays.copyOf(bytes, bytes.length - 1), 100)).hasSize(1);
    assertThat(read(Arrays.copyOf(bytes, 11), 100)).isEmpty();
    assertThat(read(new byte[0], 100)).isEmpty();
  }

  @Test
  void bytesThatAreNoRecordsAreRefused() {
    assertMalformed(
        "does not begin", "no perf at all, but text".getBytes(StandardCharsets.US_ASCII));
    assertMalformed("are no record", new PerfStream().record(300, 8).toBytes());
    assertMalformed("are no record", new PerfStream().bytes(new byte[8]).toBytes());
    assertMalformed("too short", new PerfStream().record(9, 16).toBytes());
    byte[] lacksFields = new PerfStream().toBytes();
    lacksFields[16 + 8 + 24] = 0x3;
    assertMalformed("lack fields", lacksFields);
  }

  private void assertMalformed(String message, byte[] bytes) {
    assertThatThrownBy(() -> read(bytes, 100))
        .isInstanceOf(MalformedPerfException.class)
        .hasMessageContaining(message);
  }

  /** Whatever the bytes are: they are read or refused, and nothing else happens. */
  @Test
  void damagedStreamsAreReadOrRefused() throws Exception {
    List<byte[]> whole = List.of(recorded("addresses.perf"), recorded("counters.perf"));
    Seeds.each("PerfRecordsTest", Seeds.cases(200, 3000), seed -> readDamaged(whole, seed));
  }

  private void readDamaged(List<byte[]> whole, long seed) throws IOException {
    Random random = new Random(seed);
    byte[] stream = whole.get(random.nextInt(whole.size()));
    byte[] damaged = Arrays.copyOf(stream, 1 + random.nextInt(stream.length));
    for (int i = random.nextInt(8); i >= 0; i--) {
      damaged[random.nextInt(damaged.length)] = (byte) random.nextInt();
    }
    try {
      assertThat(read(damaged, 1 + random.nextInt(300))).hasSizeLessThan(1000);
    } catch (MalformedPerfException e) {
      assertThat(e).hasMessageContaining("perf");
    }
  }
}
