package org.kblake.core.internal.log.inspect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.core.internal.log.pair.NoEventException;
import org.kblake.core.internal.log.pair.PairFixture;

/** The output of an inspection of damaged or incomplete files. */
final class InspectionTest {

  private static final InspectionLimits FEW = new InspectionLimits(1, 1, 100, null);

  @TempDir private Path root;

  private PairFixture pair = new PairFixture(Path.of(""));

  @BeforeEach
  void write() throws IOException {
    pair = new PairFixture(root).write().close();
  }

  @Test
  void damagedEventIsReportedAndTheNextEventShown() throws IOException {
    long damaged = pair.eventOffset(1, 0);
    pair.putLog(damaged + 16, (byte) 7).close();
    InspectedPair shown = InspectedPair.of(pair.log());
    assertThat(shown.damage())
        .containsExactly(
            ("damaged event: file=%s, offset=%d, bytes=28, found state=7, expected 0 to 2;"
                    + " continuing: the next event at %d")
                .formatted(pair.log(), damaged, damaged + 28));
    assertThat(shown.structures("event at ")).hasSize(12);
    shown.assertComplete(pair.index(), pair.log());
  }

  @Test
  void behindADamagedLengthTheNextMilestoneIsShown() throws IOException {
    long damaged = pair.eventOffset(0, 1);
    pair.putLogInt(damaged, 1000).close();
    InspectedPair shown = InspectedPair.of(pair.log());
    assertThat(shown.damage()).hasSize(1);
    assertThat(shown.damage().get(0))
        .contains("offset=" + damaged + ", ", "found length=1000 of BM_DCCT:LCUR, expected ")
        .endsWith("continuing: the next milestone of the index at " + pair.milestones.get(1));
    // Two segments: the milestone, one event and the damaged one in the first.
    assertThat(shown.structures("event at ")).hasSize(3 + 8);
  }

  @Test
  void aDamagedMilestoneIsReportedEvenIfItsEntryIsNotShown() throws IOException {
    long last = pair.milestones.get(1) + 16 + 2 * 28 + 2 * 8;
    pair.putLogInt(last, 77).close();
    InspectedPair shown = InspectedPair.of(pair.log(), FEW);
    assertThat(shown.damage()).hasSize(1);
    assertThat(shown.damage().get(0))
        .contains("entry of BM_BLM:D1:ADC at " + last + ": id=77, expected 9");
  }

  @Test
  void indexEntriesThatDifferFromTheLogAreReported() throws IOException {
    pair.putIndexInt(pair.entryOffset(0), 4711);
    pair.putIndexInt(pair.entryOffset(2) + 8, (int) (pair.milestones.get(2) + 28)).close();
    InspectedPair shown = InspectedPair.of(pair.index(), new InspectionLimits(1, 1, 0, null));
    assertThat(shown.damage()).hasSize(2);
    assertThat(shown.damage().get(0))
        .contains("damaged index entry: ", "offset=" + pair.entryOffset(0) + ", ", "another time");
    assertThat(shown.damage().get(1))
        .contains("offset=" + pair.entryOffset(2) + ", ", "no milestone is there");
  }

  @Test
  void aCutRecordTableIsShownUpToItsEnd() throws IOException {
    // The name of the second record is cut.
    pair.truncateIndex(16 + 24 + 12 + 5).close();
    InspectedPair shown = InspectedPair.of(pair.index(), FEW);
    assertThat(shown.structures("record ")).containsExactly("record 0", "record 1");
    assertThat(shown.damage()).hasSize(1);
    assertThat(shown.damage().get(0))
        .contains("offset=57, ")
        .endsWith("restore the file from a copy");
    pair.age(0);
    assertThat(InspectedPair.of(pair.index(), FEW).damage().get(0)).endsWith("try again later");
  }

  @Test
  void theDamagedRecordIsShownWhateverTheLimit() throws IOException {
    long third = 16 + 24 + 24;
    pair.putIndexInt(third, 5).close();
    InspectedPair shown = InspectedPair.of(pair.index(), FEW);
    assertThat(shown.structures("record ")).containsExactly("record 0", "record 2");
    assertThat(shown.damage().get(0))
        .contains("found id=5 a second time, expected an id of its own");
  }

  /**
   * Counts and lengths in a file do not determine the memory that is allocated. Otherwise this test
   * would need 16 GiB.
   */
  @Test
  void countsOfAFileAllocateNothing() throws IOException {
    pair.putIndexInt(8, Integer.MAX_VALUE).putIndexInt(16 + 8, Integer.MAX_VALUE);
    pair.putLogInt(pair.milestones.get(0), Integer.MAX_VALUE);
    pair.putLogInt(pair.milestones.get(0) + 16 + 24, Integer.MAX_VALUE).close();
    assertThat(InspectedPair.of(pair.index(), FEW).damage()).hasSize(1);
    pair.putIndexInt(8, 3).close();
    assertThat(InspectedPair.of(pair.log()).damage()).hasSize(1);
  }

  @Test
  void aCutLogIsNoDamage() throws IOException {
    long last = pair.eventOffset(2, 2);
    pair.truncateLog(last + 30).close();
    InspectedPair shown = InspectedPair.of(pair.log());
    assertThat(shown.damage()).isEmpty();
    assertThat(shown.notes())
        .contains("the log is cut at " + last + ": left by a crash of kblog, no damage");
    pair.truncateLog(last + 3).age(0);
    assertThat(InspectedPair.of(pair.log()).notes())
        .contains("the event at " + last + " is not completely written yet: try again later");
  }

  @Test
  void anEventIsFoundByItsOffset() throws IOException {
    long second = pair.eventOffset(1, 1);
    assertThat(InspectedPair.of(pair.log(), at(second)).structures("event at "))
        .containsExactly("event at %d (0x%x)".formatted(second, second));
    assertThatThrownBy(() -> InspectedPair.of(pair.log(), at(second + 1)))
        .isInstanceOf(NoEventException.class)
        .hasMessageEndingWith(
            "offset=%d, one begins at %d, the next at %d"
                .formatted(second + 1, second, second + 28));
    long size = Files.size(pair.log());
    assertThatThrownBy(() -> InspectedPair.of(pair.log(), at(size)))
        .isInstanceOf(NoEventException.class)
        .hasMessageEndingWith("the log ends at " + size);
  }

  private static InspectionLimits at(long offset) {
    return new InspectionLimits(0, 0, 1, offset);
  }
}
