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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.kblake.core.archive.ArchiveSettings;
import org.kblake.core.archive.TailRule;
import org.kblake.core.internal.fixture.ReplacedFile;
import org.kblake.core.internal.log.archive.Archive;
import org.kblake.core.internal.log.encode.RecordStates;
import org.kblake.core.internal.log.inspect.InspectedPair;
import org.kblake.core.internal.log.pair.Pair;
import org.kblake.core.internal.log.pair.PairLog;
import org.kblake.core.internal.log.pair.PendingPairException;
import org.kblake.core.internal.log.scan.LogScanner;
import org.kblake.core.internal.log.scan.MilestoneReader;
import org.kblake.core.model.Group;

/**
 * The contract of a {@link LogLayout}. A site extends this class for its own layout. It overrides
 * {@link #siteArchive} if the tests are to read its own files and write them back
 * (docs/layouts.md).
 */
public abstract class LogLayoutContract extends LogFieldsContract {

  /** Returns an archive of the site, which must be undamaged; null if there is none. */
  protected @Nullable Path siteArchive() {
    return null;
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
        ReplacedFile.write(file, damaged);
        try {
          InspectedPair.of(file);
        } catch (ForeignFileException | TooNewException e) {
          assertThat(e).as("seed %d", seed).hasMessageContaining(pair.indexPath().toString());
        }
      }
      ReplacedFile.write(file, bytes);
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
          scanner.applyTo(fromEvents);
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
      ReplacedFile.write(pair.logPath(), Arrays.copyOf(bytes, size));
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
      ReplacedFile.write(
          pair.logPath(), Arrays.copyOf(Arrays.copyOf(bytes, size), bytes.length + 50));
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
      ReplacedFile.write(pair.indexPath(), Arrays.copyOf(head, size));
      assertThatThrownBy(pair::open).as("size %d", size).isInstanceOf(PendingPairException.class);
      pair.close();
      assertThatThrownBy(pair::open).as("size %d", size).isInstanceOf(CorruptLogException.class);
    }
  }

  /** Each event that is returned was written, or lies in the damaged span. */
  @Test
  void flippedBitsAreNeverReturnedAsEvents() throws IOException {
    List<String> written = pair.write(ByteOrder.BIG_ENDIAN);
    byte[] bytes = Files.readAllBytes(pair.logPath());
    Random random = new Random(3);
    for (int i = 0; i < 300; i++) {
      byte[] damaged = bytes.clone();
      int at = random.nextInt(bytes.length);
      damaged[at] ^= (byte) (1 << random.nextInt(8));
      ReplacedFile.write(pair.logPath(), damaged);
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
      ReplacedFile.write(pair.indexPath(), damaged);
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
}
