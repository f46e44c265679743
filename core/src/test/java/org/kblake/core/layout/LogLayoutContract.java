package org.kblake.core.layout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.kblake.core.archive.ArchiveSettings;
import org.kblake.core.archive.TailRule;
import org.kblake.core.internal.log.archive.Archive;
import org.kblake.core.internal.log.inspect.InspectedPair;
import org.kblake.core.internal.log.pair.IndexFile;
import org.kblake.core.internal.log.pair.Pair;
import org.kblake.core.internal.log.pair.PairLog;
import org.kblake.core.internal.log.pair.PendingPairException;
import org.kblake.core.internal.log.scan.LogScanner;
import org.kblake.core.internal.log.scan.MilestoneReader;
import org.kblake.core.internal.log.scan.RecordStates;
import org.kblake.core.model.Group;

/**
 * The contract of a {@link LogLayout}. A site extends this class for its own layout. It overrides
 * {@link #siteArchive} if the tests are to read its own files and write them back
 * (docs/layouts.md).
 */
public abstract class LogLayoutContract {

  private static final long SECOND_NANOS = 1_000_000_000L;

  /** The begin time of the tests. */
  private static final long BEGIN_NANOS = ContractPair.BEGIN_NANOS;

  /** The lowest resolution of times that a layout may have: a microsecond. */
  private static final long RESOLUTION_NANOS = 1000;

  private static final RecordTable RECORDS = ContractPair.RECORDS;

  @TempDir Path root;
  private ContractPair pair;

  @BeforeEach
  void begin() {
    pair = new ContractPair(root, layout());
  }

  /** Returns the layout to be tested. */
  protected abstract LogLayout layout();

  /** Returns an archive of the site, which must be undamaged; null if there is none. */
  protected @Nullable Path siteArchive() {
    return null;
  }

  // ---- fields ----

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

  /** An event that can be returned is written back with the same bytes. */
  @Test
  void numbersAreExactIfTheLayoutStatesIt() {
    if (!layout().numbersAreExact()) {
      return;
    }
    ByteBuffer read = ByteBuffer.allocate(layout().recordHeaderBytes());
    ByteBuffer written = ByteBuffer.allocate(layout().recordHeaderBytes());
    int served = 0;
    for (int seed = 0; seed < 10_000; seed++) {
      new Random(seed).nextBytes(read.array());
      int state = seed % 3;
      layout().putState(read, 0, state, seed % 4, seed);
      long nanos = layout().nanos(read, 0);
      if (nanos != LogLayout.IMPOSSIBLE_NANOS) {
        int length = layout().length(read, 0);
        layout().putEventHeader(written, 0, length, layout().id(read, 0), nanos);
        layout().putState(written, 0, state, layout().severity(read, 0), layout().status(read, 0));
        assertThat(written.array()).as("seed %d", seed).isEqualTo(read.array());
        served++;
      }
    }
    assertThat(served).isPositive();
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

  // ---- pairs ----

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aPairIsReadAsItWasWritten(boolean bigEndian) throws IOException {
    List<String> written = pair.write(order(bigEndian));
    assertThat(ContractPair.events(pair.open())).isEqualTo(written);
    pair.close();
    assertThat(ContractPair.events(pair.open())).isEqualTo(written);
    ContractPair.assertUndamaged(pair.open(), true);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aPairIsWrittenBackByteForByte(boolean bigEndian) throws IOException {
    pair.write(order(bigEndian));
    pair.close();
    ContractPair.assertRewritten(pair.open());
  }

  /** Every byte is shown exactly once, for any fields that the layout names. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void anInspectionShowsEveryByteOnce(boolean bigEndian) throws IOException {
    List<String> written = pair.write(order(bigEndian));
    pair.close();
    for (Path file : List.of(pair.indexPath(), pair.logPath())) {
      InspectedPair shown = InspectedPair.of(file);
      shown.assertComplete(pair.indexPath(), pair.logPath());
      assertThat(shown.damage()).isEmpty();
      assertThat(shown.structures("record ")).hasSize(RECORDS.size());
      assertThat(shown.structures("milestone ")).hasSize(3);
      assertThat(shown.structures("event at ")).hasSize(3 + written.size());
    }
  }

  /** Flipped bytes are shown or reported, and never cause an error of the program. */
  @Test
  void anInspectionOfFlippedBytesEnds() throws IOException {
    pair.write(ByteOrder.LITTLE_ENDIAN);
    for (Path file : List.of(pair.indexPath(), pair.logPath())) {
      byte[] bytes = Files.readAllBytes(file);
      for (int seed = 0; seed < 200; seed++) {
        Random random = new Random(seed);
        byte[] damaged = Arrays.copyOf(bytes, bytes.length - random.nextInt(2) * seed);
        damaged[random.nextInt(damaged.length)] = (byte) random.nextInt();
        Files.write(file, damaged);
        try {
          InspectedPair.of(file);
        } catch (ForeignFileException | TooNewException e) {
          assertThat(e).as("seed %d", seed).hasMessageContaining(pair.indexPath().toString());
        }
      }
      Files.write(file, bytes);
    }
  }

  @Test
  void milestonesHaveTheStatesThatEventsSet() throws IOException {
    pair.write(ByteOrder.LITTLE_ENDIAN);
    pair.close();
    PairLog log = pair.open();
    RecordStates fromEvents = new RecordStates(layout(), log.order(), log.records());
    RecordStates fromMilestone = new RecordStates(layout(), log.order(), log.records());
    try (LogScanner scanner = LogScanner.open(log, 0, log.logBytes(), null);
        MilestoneReader reader = MilestoneReader.open(log)) {
      while (scanner.nextSegment()) {
        reader.read(scanner.segment().startOffset(), fromMilestone, null);
        assertThat(entries(fromMilestone)).isEqualTo(entries(fromEvents));
        while (scanner.next()) {
          fromEvents.apply(scanner);
        }
      }
    }
  }

  /** Tests each length that a log has while it is written. */
  @Test
  void aGrowingLogIsServedUpToTheLastCompleteEvent() throws IOException {
    pair.write(ByteOrder.BIG_ENDIAN);
    byte[] bytes = Files.readAllBytes(pair.logPath());
    List<String> all = ContractPair.events(pair.open());
    int served = all.size();
    for (int size = bytes.length; size > bytes.length - 300; size--) {
      Files.write(pair.logPath(), Arrays.copyOf(bytes, size));
      List<String> events = ContractPair.events(pair.open());
      assertThat(events).isEqualTo(all.subList(0, events.size()));
      assertThat(events.size()).isBetween(served - 1, served);
      served = events.size();
      ContractPair.assertUndamaged(pair.open(), false);
    }
    assertThat(served).isLessThan(all.size() - 3);
  }

  /** The size has grown, but zeros are read from some byte on. */
  @Test
  void zerosAtTheEndOfAProvisionalLogAreNotServed() throws IOException {
    pair.write(ByteOrder.LITTLE_ENDIAN);
    byte[] bytes = Files.readAllBytes(pair.logPath());
    ArchiveSettings provisional = ContractPair.settings().withTail(TailRule.PROVISIONAL);
    List<String> all = ContractPair.events(pair.open());
    for (int size = bytes.length; size > bytes.length - 300; size--) {
      Files.write(pair.logPath(), Arrays.copyOf(Arrays.copyOf(bytes, size), bytes.length + 50));
      PairLog log = Archive.open(root, provisional).pairs(ContractPair.GROUP).get(0).open();
      List<String> events = ContractPair.events(log);
      assertThat(events).isEqualTo(all.subList(0, events.size()));
      ContractPair.assertUndamaged(log, false);
    }
  }

  @Test
  void anIndexThatEndsInItsRecordTableIsPendingOrDamaged() throws IOException {
    pair.write(ByteOrder.LITTLE_ENDIAN);
    byte[] head = layout().encodeIndex(RECORDS, ByteOrder.LITTLE_ENDIAN);
    for (int size = 0; size < head.length; size++) {
      Files.write(pair.indexPath(), Arrays.copyOf(head, size));
      assertThatThrownBy(pair::open).as("size %d", size).isInstanceOf(PendingPairException.class);
      pair.close();
      assertThatThrownBy(pair::open).as("size %d", size).isInstanceOf(CorruptLogException.class);
    }
  }

  /** Each event that is returned was written, or lies in the damaged stretch. */
  @Test
  void flippedBitsAreNeverReturnedAsEvents() throws IOException {
    List<String> written = pair.write(ByteOrder.BIG_ENDIAN);
    byte[] bytes = Files.readAllBytes(pair.logPath());
    Random random = new Random(3);
    for (int i = 0; i < 300; i++) {
      byte[] damaged = bytes.clone();
      int at = random.nextInt(bytes.length);
      damaged[at] ^= (byte) (1 << random.nextInt(8));
      Files.write(pair.logPath(), damaged);
      pair.close();
      List<String> odd = new ArrayList<>(ContractPair.events(pair.open()));
      odd.removeAll(written);
      assertThat(odd.size()).as("flipped byte %d", at).isLessThanOrEqualTo(1);
    }
  }

  @Test
  void flippedBitsInAnIndexAreReportedOrHarmless() throws IOException {
    List<String> written = pair.write(ByteOrder.BIG_ENDIAN);
    int head = layout().encodeIndex(RECORDS, ByteOrder.BIG_ENDIAN).length;
    byte[] bytes = Files.readAllBytes(pair.indexPath());
    Random random = new Random(4);
    for (int i = 0; i < 300; i++) {
      byte[] damaged = bytes.clone();
      int at = head + random.nextInt(bytes.length - head);
      damaged[at] ^= (byte) (1 << random.nextInt(8));
      Files.write(pair.indexPath(), damaged);
      pair.close();
      assertThat(ContractPair.events(pair.open()))
          .as("flipped byte %d of the index", at)
          .isEqualTo(written);
    }
  }

  @Test
  void theSitesOwnFilesAreReadAndWrittenBack() throws IOException {
    Path archivePath = siteArchive();
    if (archivePath == null) {
      return;
    }
    Archive archive = Archive.open(archivePath, ContractPair.settings());
    int pairs = 0;
    for (Group group : archive.groups()) {
      for (Pair sitePair : archive.pairs(group)) {
        PairLog log = sitePair.open();
        assertThat(log.layout().name()).as("%s", sitePair).isEqualTo(layout().name());
        assertThat(log.indexDamage()).as("%s", sitePair).isEmpty();
        ContractPair.assertUndamaged(log, false);
        ContractPair.assertRewritten(log);
        pairs++;
      }
    }
    assertThat(pairs).as("pairs below %s", archivePath).isPositive();
  }

  private List<String> entries(RecordStates states) {
    List<String> entries = new ArrayList<>();
    for (int ordinal = 0; ordinal < states.records().size(); ordinal++) {
      ByteBuffer entry = ByteBuffer.allocate(states.entryBytes(ordinal));
      states.putEntry(ordinal, entry, 0);
      entries.add(Arrays.toString(entry.array()));
    }
    return entries;
  }

  private IndexFile decode(byte[] bytes) throws IOException {
    return IndexFile.decode(
        pair.indexPath(), ByteBuffer.wrap(bytes), LogLayout.installed(), false, null);
  }

  private static void assertTime(long read, long written) {
    assertThat(Math.abs(read - written)).isLessThanOrEqualTo(RESOLUTION_NANOS);
  }

  private static long never() {
    return LogLayout.NEVER_NANOS;
  }

  private static ByteOrder order(boolean bigEndian) {
    return bigEndian ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN;
  }
}
