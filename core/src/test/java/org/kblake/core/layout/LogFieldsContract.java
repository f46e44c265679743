package org.kblake.core.layout;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.kblake.core.internal.log.pair.IndexFile;

/** The part of the contract of a {@link LogLayout} that needs no whole pair: its fields. */
public abstract class LogFieldsContract {

  private static final long SECOND_NANOS = 1_000_000_000L;

  /** The begin time of the tests. */
  private static final long BEGIN_NANOS = ContractPair.BEGIN_NANOS;

  /** The lowest resolution of times that a layout may have: a microsecond. */
  private static final long RESOLUTION_NANOS = 1000;

  static final RecordTable RECORDS = ContractPair.RECORDS;

  @TempDir Path root;
  ContractPair pair;

  @BeforeEach
  void begin() {
    pair = new ContractPair(root, layout());
  }

  /** Returns the layout to be tested. */
  protected abstract LogLayout layout();

  @Test
  void isInstalled() {
    assertThat(LogLayout.installed().stream().map(LogLayout::getClass))
        .as("named in META-INF/services/org.kblake.core.layout.LogLayout")
        .contains(layout().getClass());
  }

  @Test
  void hasANameThatFitsIntoAFileName() {
    assertThat(layout().name()).matches("[a-zA-Z0-9._-]+");
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void recognisesItsIndexInBothByteOrders(boolean bigEndian) throws IOException {
    ByteOrder order = order(bigEndian);
    byte[] bytes = layout().encodeIndex(RECORDS, order);
    IndexFile index = decode(bytes);
    assertThat(index.layout().name()).isEqualTo(layout().name());
    assertThat(index.order()).isEqualTo(order);
    assertThat(index.records().entries()).isEqualTo(RECORDS.entries());
    assertThat(index.milestoneTableOffset()).isEqualTo(bytes.length);
    assertThat(index.milestoneEntries()).isZero();
  }

  @Test
  void doesNotRecogniseOtherBytes() {
    for (int seed = 0; seed < 100; seed++) {
      byte[] bytes = new byte[Math.max(64, layout().magicBytes())];
      new Random(seed).nextBytes(bytes);
      assertThat(layout().recognise(ByteBuffer.wrap(bytes))).as("seed %d", seed).isNull();
    }
    assertThat(layout().recognise(ByteBuffer.allocate(layout().magicBytes()))).isNull();
  }

  @Test
  void anIndexMayBeEmpty() throws IOException {
    byte[] bytes = layout().encodeIndex(new RecordTable(List.of()), ByteOrder.BIG_ENDIAN);
    assertThat(decode(bytes).records().size()).isZero();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void milestoneEntriesAreReadAsTheyWereWritten(boolean bigEndian) {
    ByteBuffer bytes = ByteBuffer.allocate(layout().milestoneEntryBytes()).order(order(bigEndian));
    for (long offset : new long[] {0, 1, 4711, Integer.MAX_VALUE}) {
      layout().putMilestoneEntry(bytes, 0, BEGIN_NANOS + offset, offset);
      assertThat(layout().milestoneEntryOffset(bytes, 0)).isEqualTo(offset);
      assertTime(layout().milestoneEntryNanos(bytes, 0), BEGIN_NANOS + offset);
    }
  }

  @Test
  void aMilestoneEntryOfZerosIsIgnored() {
    ByteBuffer bytes = ByteBuffer.allocate(layout().milestoneEntryBytes());
    layout().putMilestoneEntry(bytes, 0, BEGIN_NANOS, 0);
    assertThat(bytes.array()).isNotEqualTo(new byte[layout().milestoneEntryBytes()]);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void eventHeadersAreReadAsTheyWereWritten(boolean bigEndian) {
    ByteBuffer bytes = ByteBuffer.allocate(layout().recordHeaderBytes() + 3);
    bytes.order(order(bigEndian));
    Random random = new Random(1);
    for (int i = 0; i < 1000; i++) {
      int at = i % 4;
      int length = 1 + random.nextInt(Integer.MAX_VALUE);
      int id = i % 10 == 0 ? LogLayout.MILESTONE_ID : random.nextInt(1 << 30);
      long nanos = BEGIN_NANOS + random.nextInt() * 100L;
      layout().putEventHeader(bytes, at, length, id, nanos);
      layout().putState(bytes, at, i % 3, i % 4, i % 65_536);
      assertThat(layout().length(bytes, at)).isEqualTo(length);
      assertThat(layout().id(bytes, at)).isEqualTo(id);
      assertThat(layout().lengthAndId(bytes, at)).isEqualTo((long) id << 32 | length);
      assertTime(layout().nanos(bytes, at), nanos);
      assertThat(layout().state(bytes, at)).isEqualTo(i % 3);
      assertThat(layout().severity(bytes, at)).isEqualTo(i % 4);
      assertThat(layout().status(bytes, at)).isEqualTo(i % 65_536);
      assertThat(layout().stateAndSeverity(bytes, at)).isEqualTo(i % 3 | i % 4 << 8);
    }
  }

  @Test
  void combinedReadsAgreeWithSingleReads() {
    ByteBuffer bytes = ByteBuffer.allocate(layout().recordHeaderBytes());
    for (int seed = 0; seed < 1000; seed++) {
      new Random(seed).nextBytes(bytes.array());
      bytes.order(order(seed % 2 == 0));
      assertThat(layout().lengthAndId(bytes, 0))
          .isEqualTo((long) layout().id(bytes, 0) << 32 | layout().length(bytes, 0) & 0xFFFFFFFFL);
      assertThat(layout().stateAndSeverity(bytes, 0))
          .isEqualTo(layout().state(bytes, 0) | layout().severity(bytes, 0) << 8);
    }
  }

  /** Stores keep times as they are read, and write logs from them again. */
  @Test
  void aTimeThatWasReadIsWrittenTheSameAgain() {
    ByteBuffer bytes = ByteBuffer.allocate(layout().eventHeaderBytes());
    Random random = new Random(2);
    for (int i = 0; i < 1000; i++) {
      layout().putEventHeader(bytes, 0, 100, 1, BEGIN_NANOS + (random.nextLong() >>> 8));
      byte[] written = bytes.array().clone();
      layout().putEventHeader(bytes, 0, 100, 1, layout().nanos(bytes, 0));
      assertThat(bytes.array()).isEqualTo(written);
    }
  }

  @Test
  void timesKeepTheirOrder() {
    ByteBuffer bytes = ByteBuffer.allocate(layout().eventHeaderBytes());
    long last = Long.MIN_VALUE;
    for (int i = 0; i < 1000; i++) {
      layout().putEventHeader(bytes, 0, 100, 1, BEGIN_NANOS + 999_999_500L + i);
      assertThat(layout().nanos(bytes, 0)).isGreaterThanOrEqualTo(last);
      last = layout().nanos(bytes, 0);
    }
  }

  @Test
  void zerosAreNoEvent() {
    assertThat(layout().length(ByteBuffer.allocate(layout().eventHeaderBytes()), 0)).isZero();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void stateEntriesAreReadAsTheyWereWritten(boolean bigEndian) {
    ByteBuffer bytes = ByteBuffer.allocate(layout().stateEntryBytes() + 1).order(order(bigEndian));
    layout().putStateEntry(bytes, 1, 17, BEGIN_NANOS, 2, 3, 40_000, BEGIN_NANOS - SECOND_NANOS, 8);
    assertThat(layout().stateEntryId(bytes, 1)).isEqualTo(17);
    assertTime(layout().stateEntryEventNanos(bytes, 1), BEGIN_NANOS);
    assertThat(layout().stateEntryState(bytes, 1)).isEqualTo(2);
    assertThat(layout().stateEntrySeverity(bytes, 1)).isEqualTo(3);
    assertThat(layout().stateEntryStatus(bytes, 1)).isEqualTo(40_000);
    assertTime(layout().stateEntryValueNanos(bytes, 1), BEGIN_NANOS - SECOND_NANOS);
    assertThat(layout().stateEntryValueBytes(bytes, 1)).isEqualTo(8);

    layout().putStateEntry(bytes, 1, 17, never(), 0, 0, 0, never(), 0);
    assertThat(layout().stateEntryEventNanos(bytes, 1)).isEqualTo(never());
    assertThat(layout().stateEntryValueNanos(bytes, 1)).isEqualTo(never());
    assertThat(layout().stateEntryValueBytes(bytes, 1)).isZero();
  }

  @Test
  void displayedFieldsAdjoin() {
    assertFields(layout().eventFields(), layout().recordHeaderBytes());
    assertFields(layout().stateEntryFields(), layout().stateEntryBytes());
    assertFields(layout().milestoneEntryFields(), layout().milestoneEntryBytes());
  }

  private static void assertFields(List<LayoutField> fields, int bytes) {
    int end = 0;
    for (LayoutField field : fields) {
      assertThat(field.offset()).as(field.name()).isGreaterThanOrEqualTo(end);
      end = field.offset() + field.kind().bytes();
      assertThat(field.text(ByteBuffer.allocate(bytes), 0)).isNotEmpty();
    }
    assertThat(end).isLessThanOrEqualTo(bytes);
  }

  private IndexFile decode(byte[] bytes) throws IOException {
    return IndexFile.decode(
        pair.indexPath(), ByteBuffer.wrap(bytes), LogLayout.installed(), false, null);
  }

  private static void assertTime(long read, long written) {
    assertThat(Math.abs(read - written)).isLessThanOrEqualTo(RESOLUTION_NANOS);
  }

  static long never() {
    return LogLayout.NEVER_NANOS;
  }

  static ByteOrder order(boolean bigEndian) {
    return bigEndian ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN;
  }
}
