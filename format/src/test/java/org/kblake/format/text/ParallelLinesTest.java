package org.kblake.format.text;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.time.ZoneId;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.kblake.core.columns.EventColumns;
import org.kblake.core.model.Channel;
import org.kblake.core.model.EventState;
import org.kblake.core.model.Group;
import org.kblake.core.model.ValueType;
import org.kblake.format.OutputFormat;
import org.kblake.format.TestAnswer;
import org.kblake.format.time.TimeStyle;

class ParallelLinesTest {

  private static final long SEED = 9;
  private static final Group GROUP = Group.parse("VA/CCG");
  private static final Channel NUMBERS = new Channel(GROUP, "VA:NUMBERS");
  private static final Channel TEXTS = new Channel(GROUP, "VA:TEXTS");
  private static final Channel WAVES = new Channel(GROUP, "VA:WAVES");

  /**
   * Runs have 1 to 30,000 rows. Many fit into one batch of 8,192 rows, and some need several
   * batches.
   */
  @ParameterizedTest
  @EnumSource(names = {"CSV", "TSV", "JSON", "NDJSON"})
  void linesAreThoseOfOneThread(OutputFormat format) throws IOException {
    LineForm form = form(format);
    ByteArrayOutputStream expected = new ByteArrayOutputStream();
    ByteArrayOutputStream found = new ByteArrayOutputStream();
    EventLines one = new EventLines(expected, form);
    try (ParallelLines all = new ParallelLines(found, form, 1, 3)) {
      SplittableRandom random = new SplittableRandom(SEED);
      EventColumns numbers = columns(ValueType.DOUBLE, false, 30_000, random);
      EventColumns texts = columns(ValueType.STRING, false, 2_000, random);
      EventColumns waves = columns(ValueType.FLOAT, true, 2_000, random);
      for (int i = 0; i < 300; i++) {
        Channel channel = i % 3 == 0 ? NUMBERS : i % 3 == 1 ? TEXTS : WAVES;
        EventColumns columns = i % 3 == 0 ? numbers : i % 3 == 1 ? texts : waves;
        int from = random.nextInt(columns.count);
        int most = random.nextInt(4) == 0 ? columns.count : 20;
        int to = from + 1 + random.nextInt(Math.min(most, columns.count - from));
        one.write(channel, columns, from, to);
        all.write(channel, columns, from, to);
        // The caller may change the rows after the call
        columns.timeNanos[from] += 1_000_000_007L;
        columns.state[from] = (byte) EventState.DISCONNECTED.code();
      }
      one.finish();
      all.finish();
    }
    assertThat(found.toByteArray()).isEqualTo(expected.toByteArray());
    assertThat(linesThreads()).isZero();
  }

  /** A row with more elements than a batch may have is a batch of its own. */
  @Test
  void longWaveformsKeepTheOrderOfRows() throws IOException {
    LineForm form = form(OutputFormat.CSV);
    ByteArrayOutputStream expected = new ByteArrayOutputStream();
    ByteArrayOutputStream found = new ByteArrayOutputStream();
    EventLines one = new EventLines(expected, form);
    SplittableRandom random = new SplittableRandom(SEED);
    EventColumns waves = columns(ValueType.FLOAT, true, 5, 70_000, random);
    EventColumns numbers = columns(ValueType.DOUBLE, false, 100, random);
    try (ParallelLines all = new ParallelLines(found, form, 1, 3)) {
      for (int row = 0; row < waves.count; row++) {
        one.write(NUMBERS, numbers, 0, numbers.count);
        all.write(NUMBERS, numbers, 0, numbers.count);
        one.write(WAVES, waves, row, row + 1);
        all.write(WAVES, waves, row, row + 1);
      }
      one.finish();
      all.finish();
    }
    assertThat(found.toByteArray()).isEqualTo(expected.toByteArray());
  }

  /** A pipe fails like this when its reader has ended. */
  @Test
  void errorOfTheStreamIsThrownAndEndsTheThreads() throws IOException {
    EventColumns rows = columns(ValueType.DOUBLE, false, 30_000, new SplittableRandom(SEED));
    IOException closed = new IOException("Broken pipe");
    OutputStream out =
        new OutputStream() {
          private long room = 8 << 20;

          @Override
          public void write(int b) {
            throw new AssertionError("bytes come in pieces");
          }

          @Override
          public void write(byte[] bytes, int from, int length) throws IOException {
            room -= length;
            if (room < 0) {
              throw closed;
            }
          }
        };
    try (ParallelLines lines = new ParallelLines(out, form(OutputFormat.CSV), 1, 3)) {
      assertThatThrownBy(
              () -> {
                while (true) {
                  lines.write(NUMBERS, rows, 0, rows.count);
                }
              })
          .isSameAs(closed);
    }
    assertThat(linesThreads()).isZero();
  }

  /** Starting threads takes longer than writing an hour of a channel. */
  @Test
  void shortAnswerIsWrittenByTheCallersThread() throws IOException {
    EventColumns rows = columns(ValueType.DOUBLE, false, 30_000, new SplittableRandom(SEED));
    try (ParallelLines lines =
        new ParallelLines(OutputStream.nullOutputStream(), form(OutputFormat.CSV))) {
      lines.write(NUMBERS, rows, 0, rows.count);
      lines.finish();
      assertThat(linesThreads()).isZero();
    }
  }

  private static LineForm form(OutputFormat format) {
    return new LineForm(format, TimeStyle.ISO, ZoneId.of("Asia/Tokyo"), true, true);
  }

  /** Counts running threads. Waits some time for threads that are ending. */
  private static long linesThreads() {
    Thread[] threads =
        Thread.getAllStackTraces().keySet().stream()
            .filter(thread -> thread.getName().equals("kblake-lines"))
            .toArray(Thread[]::new);
    for (Thread thread : threads) {
      try {
        thread.join(10_000);
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
    }
    return Arrays.stream(threads).filter(Thread::isAlive).count();
  }

  private static EventColumns columns(
      ValueType type, boolean waveform, int rows, SplittableRandom random) {
    return columns(type, waveform, rows, 0, random);
  }

  /**
   * @param least the minimum number of elements of a waveform
   */
  private static EventColumns columns(
      ValueType type, boolean waveform, int rows, int least, SplittableRandom random) {
    EventColumns columns = new EventColumns(type, waveform, rows);
    int elements = 0;
    for (int row = 0; row < rows; row++) {
      columns.timeNanos[row] = TestAnswer.START_NANOS + row * 1_000_000_000L;
      boolean value = random.nextInt(50) != 0;
      columns.state[row] = (byte) (value ? EventState.VALUE : EventState.CONNECTED).code();
      columns.severity[row] = (byte) random.nextInt(4);
      columns.stray[row] = (byte) random.nextInt(2);
      int end = elements + (waveform ? value ? least + random.nextInt(100) : 0 : 1);
      columns.ensureElements(end);
      for (; elements < end; elements++) {
        element(columns, elements, random);
      }
      if (waveform) {
        columns.listStarts[row + 1] = elements;
      }
    }
    columns.count = rows;
    return columns;
  }

  private static void element(EventColumns columns, int element, SplittableRandom random) {
    switch (columns.type()) {
      case DOUBLE -> columns.values[element] = Double.doubleToRawLongBits(random.nextInt() / 256.0);
      case FLOAT ->
          columns.values[element] = Float.floatToRawIntBits(random.nextInt(100_000) / 8.0f);
      case STRING -> {
        byte[] text = "\"%d\",\t".formatted(random.nextInt()).getBytes(UTF_8);
        int start = columns.textStarts[element];
        columns.ensureText(start + text.length);
        System.arraycopy(text, 0, columns.text, start, text.length);
        columns.textStarts[element + 1] = start + text.length;
      }
      default -> throw new AssertionError(columns.type());
    }
  }
}
