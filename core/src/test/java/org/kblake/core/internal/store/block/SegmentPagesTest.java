package org.kblake.core.internal.store.block;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.kblake.core.columns.CorruptBlockException;
import org.kblake.core.internal.fixture.ReplacedFile;
import org.kblake.core.internal.store.RecordContents;
import org.kblake.core.internal.store.file.StoreFiles;
import org.kblake.core.log.LogSpan;
import org.kblake.core.model.Group;

class SegmentPagesTest {

  /** Two whole pages and some segments. The second span begins in the middle of the second page. */
  private static final int SEGMENTS = 2 * SegmentPages.PAGE_SEGMENTS + 40;

  private static final int SECOND_SPAN = SegmentPages.PAGE_SEGMENTS + 50;

  @TempDir Path block;

  private final List<StoredSegment> segments = new ArrayList<>();
  private BlockSummary summary;

  @BeforeEach
  void makeSegments() {
    SplittableRandom random = new SplittableRandom(5);
    for (int i = 0; i < SEGMENTS; i++) {
      byte[] hash = new byte[32];
      random.nextBytes(hash);
      int span = i < SECOND_SPAN ? 0 : 1;
      segments.add(
          new StoredSegment(span, i, i + 1, 10L * i, 1, 2, 3, 4, i % 7, i % 3, i % 5, hash));
    }
    summary = summary(SEGMENTS);
  }

  private static BlockSummary summary(int segments) {
    LogSpan first = new LogSpan("20160516000000", 0, Math.min(segments, SECOND_SPAN));
    List<LogSpan> spans =
        segments <= SECOND_SPAN
            ? List.of(first)
            : List.of(first, new LogSpan("20160517000000", SECOND_SPAN, segments));
    return new BlockSummary(new Group("VA", "CCG"), spans, 0, 1, 0, 1, 5, 0, segments);
  }

  private void write(List<StoredSegment> list) throws IOException {
    try (StoreFiles.Output output =
        StoreFiles.LOCAL.create(block.resolve(BlockSections.FILE_NAME))) {
      BlockSections.write(output, summary(list.size()), List.of(), list, List.of(), List.of());
    }
  }

  private byte[] file() throws IOException {
    return Files.readAllBytes(block.resolve(BlockSections.FILE_NAME));
  }

  private void replace(byte[] bytes) throws IOException {
    ReplacedFile.write(block.resolve(BlockSections.FILE_NAME), bytes);
  }

  private static void assertSame(List<StoredSegment> found, List<StoredSegment> expected) {
    assertThat(RecordContents.of(found)).isEqualTo(RecordContents.of(expected));
  }

  /**
   * Earlier readers of this version of the format do not use pages. They inflate the section at
   * once.
   */
  @Test
  void canBeReadAsOneSection() throws IOException {
    write(segments);
    assertSame(BlockSections.readSegments(block), segments);
  }

  @Test
  void returnsAnyRangeOfTheList() throws IOException {
    write(segments);
    SplittableRandom random = new SplittableRandom(6);
    for (int i = 0; i < 200; i++) {
      SegmentList list = SegmentList.open(block, summary);
      for (int question = 0; question < 3; question++) {
        int from = random.nextInt(SEGMENTS + 1);
        int to = random.nextInt(from, SEGMENTS + 1);
        assertSame(list.range(from, to), segments.subList(from, to));
        assertThat(list.has(from, to)).isTrue();
      }
    }
  }

  @Test
  void readsOnlyTheRequestedPages() throws IOException {
    write(segments);
    SegmentList list = SegmentList.open(block, summary);
    list.range(SegmentPages.PAGE_SEGMENTS, SegmentPages.PAGE_SEGMENTS + 1);
    assertThat(list.has(SegmentPages.PAGE_SEGMENTS, 2 * SegmentPages.PAGE_SEGMENTS)).isTrue();
    assertThat(list.has(SegmentPages.PAGE_SEGMENTS - 1, SegmentPages.PAGE_SEGMENTS)).isFalse();
    assertThat(list.has(2 * SegmentPages.PAGE_SEGMENTS, 2 * SegmentPages.PAGE_SEGMENTS + 1))
        .isFalse();
  }

  @Test
  void returnsWhereSpansBegin() throws IOException {
    write(segments);
    SegmentList list = SegmentList.open(block, summary);
    assertThat(list.firstOf(0)).isZero();
    assertThat(list.firstOf(1)).isEqualTo(SECOND_SPAN);
    assertThat(list.firstOf(2)).isEqualTo(SEGMENTS);
    assertThat(list.has(0, 1)).isFalse();
  }

  /** Small blocks and blocks of earlier versions have such a list. */
  @Test
  void readsAListWithoutPages() throws IOException {
    write(segments);
    byte[] whole = file();
    int tail = BlockSections.findSegments(block).tail().remaining();
    assertThat(tail).isPositive();
    replace(Arrays.copyOf(whole, whole.length - tail));
    SegmentList list = SegmentList.open(block, summary);
    assertThat(list.firstOf(1)).isEqualTo(SECOND_SPAN);
    assertSame(list.range(7, SEGMENTS), segments.subList(7, SEGMENTS));
  }

  @Test
  void writesNoIndexForOnePage() throws IOException {
    List<StoredSegment> few = segments.subList(0, SegmentPages.PAGE_SEGMENTS);
    write(few);
    assertThat(BlockSections.findSegments(block).tail().remaining()).isZero();
    assertSame(SegmentList.open(block, summary(few.size())).range(0, few.size()), few);
  }

  /** Flips each byte of header, section and index. No other segments are returned. */
  @Test
  void detectsEveryFlippedByte() throws IOException {
    write(segments);
    byte[] good = file();
    Sections.Place place = BlockSections.findSegments(block);
    for (int at = 0; at < good.length; at += at < 200 || at > good.length - 400 ? 1 : 97) {
      boolean inOther =
          at >= 116 && at < place.offset()
              || at >= place.offset() + place.storedBytes()
                  && at < good.length - place.tail().limit();
      // Only readers of the whole section use the two bytes of the zlib header.
      if (inOther || at - place.offset() >= 0 && at - place.offset() < 2) {
        continue;
      }
      byte[] bad = good.clone();
      bad[at] ^= 0x10;
      replace(bad);
      assertThatThrownBy(() -> SegmentList.open(block, summary).range(0, SEGMENTS))
          .as("byte %d", at)
          .isInstanceOf(CorruptBlockException.class)
          .hasMessageContaining(BlockSections.FILE_NAME);
    }
  }

  @Test
  void detectsACutTail() throws IOException {
    write(segments);
    byte[] good = file();
    int tail = BlockSections.findSegments(block).tail().remaining();
    for (int missing = 1; missing < tail; missing++) {
      replace(Arrays.copyOf(good, good.length - missing));
      assertThatThrownBy(() -> SegmentList.open(block, summary))
          .as("%d missing", missing)
          .isInstanceOf(CorruptBlockException.class);
    }
  }

  @Test
  void refusesPagesOfAnotherSummary() throws IOException {
    write(segments);
    assertThatThrownBy(
            () -> SegmentList.open(block, summary(SEGMENTS + SegmentPages.PAGE_SEGMENTS)))
        .isInstanceOf(CorruptBlockException.class)
        .hasMessageContaining("parts of the block's segments");
  }

  /** A span without segments would be read neither in the block nor in the log. */
  @ParameterizedTest
  @ValueSource(
      ints = {0, 5, SegmentPages.PAGE_SEGMENTS, SECOND_SPAN - 1, SECOND_SPAN, SEGMENTS - 1})
  void refusesSegmentsThatLeaveAGap(int missing) throws IOException {
    List<LogSpan> spans = summary.spans();
    segments.remove(missing);
    write(segments);
    BlockSummary holed =
        new BlockSummary(summary.group(), spans, 0, 1, 0, 1, 5, 0, segments.size());
    for (int from : new int[] {0, Math.max(0, missing - 1)}) {
      SegmentList list = SegmentList.open(block, holed);
      assertThatThrownBy(() -> list.range(from, Math.min(segments.size(), missing + 1)))
          .isInstanceOf(CorruptBlockException.class)
          .hasMessageContaining(
              "segments that do not adjoin at offset " + missing + " of the log of pair 201605");
    }
  }
}
