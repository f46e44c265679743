package org.kblake.core.internal.parquet.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.parquet.format.ColumnChunk;
import org.apache.parquet.format.OffsetIndex;
import org.apache.parquet.format.PageLocation;
import org.apache.parquet.format.Util;
import org.junit.jupiter.api.Test;
import org.kblake.core.columns.EventColumn;
import org.kblake.core.columns.EventColumns;
import org.kblake.core.internal.parquet.file.ChannelRows;
import org.kblake.core.internal.parquet.file.FileFooter;
import org.kblake.core.internal.parquet.file.FileLayout;
import org.kblake.core.internal.parquet.file.RowGroupLayout;
import org.kblake.core.internal.parquet.file.WriteProfile;
import org.kblake.core.internal.parquet.write.EncodedRowGroup;
import org.kblake.core.internal.parquet.write.EventFileWriter;
import org.kblake.core.internal.parquet.write.RowGroupEncoder;
import org.kblake.core.internal.store.RecordContents;
import org.kblake.core.model.ValueType;

/** The boundaries of pages, and the pages that a read takes. */
class PagesTest {

  private static EventColumns tame(int rows) {
    return SampleRows.of(
        ValueType.DOUBLE, false, rows, SampleRows.Shape.RANDOM, SampleRows.Order.TAME, rows);
  }

  private static EncodedRowGroup encode(EventColumns... channels) {
    RowGroupEncoder encoder = new RowGroupEncoder();
    encoder.begin(channels[0].type(), channels[0].waveform(), WriteProfile.STANDARD);
    for (int i = 0; i < channels.length; i++) {
      encoder.channel("CHANNEL:" + i);
      encoder.append(channels[i]);
    }
    return encoder.finish();
  }

  private static SampleFile.Written write(
      EncodedRowGroup rowGroup, ValueType type, boolean waveform) throws IOException {
    MemoryFile.Sink sink = new MemoryFile.Sink();
    try (EventFileWriter writer =
        new EventFileWriter(sink, type, waveform, WriteProfile.STANDARD, Map.of())) {
      writer.append(rowGroup);
      FileLayout layout = writer.finish();
      return new SampleFile.Written(sink.file(), layout);
    }
  }

  @Test
  void pagesCloseAt4096Rows() {
    assertThat(encode(tame(4096)).layout().pageRows()).containsExactly(0, 4096);
    assertThat(encode(tame(4097)).layout().pageRows()).containsExactly(0, 4096, 4097);
    assertThat(encode(tame(8192)).layout().pageRows()).containsExactly(0, 4096, 8192);
  }

  @Test
  void aChannelOf512RowsBeginsANewPageBehindOneThatIsNotSmall() {
    assertThat(encode(tame(2048), tame(512)).layout().pageRows()).containsExactly(0, 2048, 2560);
    assertThat(encode(tame(2048), tame(511)).layout().pageRows()).containsExactly(0, 2559);
    assertThat(encode(tame(2047), tame(512)).layout().pageRows()).containsExactly(0, 2559);
  }

  /** 32,768 doubles take 256 KiB, so four rows fill a page of 1 MiB exactly. */
  @Test
  void pagesCloseAtOneMebibyteOfValues() {
    assertThat(encode(waveform(9, 32_768)).layout().pageRows()).containsExactly(0, 4, 8, 9);
    assertThat(encode(waveform(3, 200_000)).layout().pageRows()).containsExactly(0, 1, 2, 3);
  }

  private static EventColumns waveform(int rows, int elements) {
    EventColumns columns = new EventColumns(ValueType.DOUBLE, true, rows);
    columns.ensureElements(rows * elements);
    for (int row = 0; row < rows; row++) {
      columns.state[row] = 2;
      columns.timeNanos[row] = row;
      columns.listStarts[row + 1] = (row + 1) * elements;
    }
    for (int i = 0; i < rows * elements; i++) {
      columns.values[i] = i * 0x9E37_79B9_7F4A_7C15L;
    }
    columns.count = rows;
    return columns;
  }

  @Test
  void rowsLargerThanAPageAreRestored() throws IOException {
    EventColumns rows = waveform(3, 200_000);
    SampleFile.Written written = write(encode(rows), ValueType.DOUBLE, true);
    EventColumns found = SampleFile.read(written.file(), written.layout().rowGroups().get(0), rows);
    SampleFile.assertSame(found, rows, 0, 3);
  }

  /**
   * GH-3747 of parquet-java: a filter may return wrong rows if the boundaries of columns differ.
   */
  @Test
  void everyColumnHasTheSamePageBoundaries() throws IOException {
    EventColumns wild =
        SampleRows.of(
            ValueType.STRING, true, 9000, SampleRows.Shape.MIXED, SampleRows.Order.WILD, 7);
    SampleFile.Written written = write(encode(wild), ValueType.STRING, true);
    FileFooter footer = FileFooter.read(written.file());
    int[] pageRows = written.layout().rowGroups().get(0).pageRows();
    for (ColumnChunk chunk : footer.metaData().getRow_groups().get(0).getColumns()) {
      int at = (int) (chunk.getOffset_index_offset() - footer.indexOffset());
      OffsetIndex index =
          Util.readOffsetIndex(
              new ByteArrayInputStream(footer.indexes(), at, chunk.getOffset_index_length()));
      assertThat(index.getPage_locations())
          .as(chunk.getMeta_data().getPath_in_schema().toString())
          .extracting(PageLocation::getFirst_row_index)
          .containsExactlyElementsOf(
              Arrays.stream(pageRows, 0, pageRows.length - 1).asLongStream().boxed().toList());
    }
  }

  /** Page by page a column index would repeat the only name. */
  @Test
  void onlyRowGroupsOfSeveralChannelsHaveAnIndexOfTheirNames() throws IOException {
    assertThat(indexed(encode(tame(9000)))).containsExactly("time", "value");
    assertThat(indexed(encode(tame(4096), tame(4096)))).containsExactly("channel", "time", "value");
  }

  private static List<String> indexed(EncodedRowGroup rowGroup) throws IOException {
    FileFooter footer = FileFooter.read(write(rowGroup, ValueType.DOUBLE, false).file());
    return footer.metaData().getRow_groups().get(0).getColumns().stream()
        .filter(ColumnChunk::isSetColumn_index_offset)
        .map(chunk -> chunk.getMeta_data().getPath_in_schema().get(0))
        .toList();
  }

  @Test
  void channelsThatShareARowGroupAreFound() throws IOException {
    SampleFile.Written written =
        write(encode(tame(3), tame(5000), tame(1)), ValueType.DOUBLE, false);
    RowGroupLayout layout = written.layout().rowGroups().get(0);
    assertThat(layout.channels())
        .containsExactly(
            new ChannelRows("CHANNEL:0", 0, 3, 0, 1),
            new ChannelRows("CHANNEL:1", 3, 5000, 0, 2),
            new ChannelRows("CHANNEL:2", 5003, 1, 1, 1));
    assertThat(RecordContents.of(FooterReader.read(written.file())))
        .isEqualTo(RecordContents.of(written.layout()));
  }

  @Test
  void timesOfPagesLeaveStraysOut() throws IOException {
    EventColumns rows = tame(4097);
    rows.timeNanos[17] = Long.MIN_VALUE;
    rows.stray[17] = 1;
    rows.stray[4096] = 1;
    SampleFile.Written written = write(encode(rows), ValueType.DOUBLE, false);
    RowGroupLayout layout = written.layout().rowGroups().get(0);
    assertThat(layout.pageMinNanos()).containsExactly(rows.timeNanos[0], Long.MAX_VALUE);
    assertThat(layout.pageMaxNanos()).containsExactly(rows.timeNanos[4095], Long.MIN_VALUE);
    assertThat(RecordContents.of(FooterReader.read(written.file())))
        .isEqualTo(RecordContents.of(written.layout()));
  }

  @Test
  void columnsThatAreConstantAreNotRead() throws IOException {
    EventColumns rows = tame(9000);
    Arrays.fill(rows.segment, 4);
    SampleFile.Written written = write(encode(rows), ValueType.DOUBLE, false);
    RowGroupLayout layout = written.layout().rowGroups().get(0);
    for (EventColumn column : EventColumn.values()) {
      boolean varies =
          column == EventColumn.CHANNEL
              || column == EventColumn.TIME
              || column == EventColumn.VALUE;
      assertThat(layout.column(column).constant() == null).as(column.text()).isEqualTo(varies);
    }
    assertThat(layout.column(EventColumn.SEGMENT).constant()).isEqualTo(4);
    EventColumns into = new EventColumns(ValueType.DOUBLE, false, 1);
    new EventPageReader().read(written.file(), layout, 1, 3, SampleFile.ALL, into);
    SampleFile.assertSame(into, rows, 4096, 9000);
    assertThat(written.file().reads).as("time and value").isLessThanOrEqualTo(2);
  }

  @Test
  void constantColumnsCostNearlyNothing() throws IOException {
    EventColumns rows = tame(65_536);
    Arrays.fill(rows.segment, 4);
    Arrays.fill(rows.values, Double.doubleToRawLongBits(1.5));
    SampleFile.Written written = write(encode(rows), ValueType.DOUBLE, false);
    RowGroupLayout layout = written.layout().rowGroups().get(0);
    for (EventColumn column : EnumSet.complementOf(EnumSet.of(EventColumn.TIME))) {
      assertThat(layout.column(column).bytes() / (double) layout.pages())
          .as("bytes a page of " + column.text())
          .isLessThan(40);
    }
  }

  /**
   * Lists of 32 elements have a repetition level of 1 bit for each, which repeats with each list. A
   * codec makes these levels small, although it cannot compress random elements of 7 bits.
   */
  @Test
  void levelsOfListsCostNearlyNothingBesideRandomElements() throws IOException {
    Random random = new Random(1);
    EventColumns rows = waveform(9000, 32);
    for (int i = 0; i < 9000 * 32; i++) {
      rows.values[i] = Double.doubleToRawLongBits(random.nextInt(128));
    }
    SampleFile.Written written = write(encode(rows), ValueType.DOUBLE, true);
    RowGroupLayout layout = written.layout().rowGroups().get(0);
    assertThat(layout.column(EventColumn.VALUE).bytes() / 9000.0)
        .as("bytes of a list")
        .isBetween(28.0, 29.0);
    EventColumns found = SampleFile.read(written.file(), layout, rows);
    SampleFile.assertSame(found, rows, 0, rows.count);
  }

  /** Adjoining columns take one read. A read of all rows therefore takes a single one. */
  @Test
  void aWholeRowGroupIsOneRead() throws IOException {
    EventColumns rows =
        SampleRows.of(
            ValueType.LONG, false, 9000, SampleRows.Shape.RANDOM, SampleRows.Order.WILD, 3);
    SampleFile.Written written = write(encode(rows), ValueType.LONG, false);
    EventColumns into = new EventColumns(ValueType.LONG, false, 1);
    RowGroupLayout layout = written.layout().rowGroups().get(0);
    new EventPageReader().read(written.file(), layout, 0, 3, SampleFile.ALL, into);
    assertThat(written.file().reads).isEqualTo(1);
  }

  @Test
  void columnsThatAreNotSelectedAreNotChanged() throws IOException {
    EventColumns rows =
        SampleRows.of(
            ValueType.LONG, false, 100, SampleRows.Shape.RANDOM, SampleRows.Order.WILD, 3);
    SampleFile.Written written = write(encode(rows), ValueType.LONG, false);
    EventColumns into = new EventColumns(ValueType.LONG, false, 200);
    into.values[5] = 77;
    new EventPageReader()
        .read(
            written.file(),
            written.layout().rowGroups().get(0),
            0,
            1,
            EnumSet.of(EventColumn.TIME),
            into);
    assertThat(into.count).isEqualTo(100);
    assertThat(into.values[5]).isEqualTo(77);
    assertThat(into.timeNanos).startsWith(Arrays.copyOf(rows.timeNanos, 100));
  }

  @Test
  void anEncoderCanBeReusedForAnyType() throws IOException {
    RowGroupEncoder encoder = new RowGroupEncoder();
    for (ValueType type : ValueType.values()) {
      for (boolean waveform : new boolean[] {true, false, true}) {
        EventColumns rows =
            SampleRows.of(type, waveform, 5000, SampleRows.Shape.FEW, SampleRows.Order.WILD, 9);
        encoder.begin(type, waveform, WriteProfile.STANDARD);
        encoder.channel("A");
        encoder.append(rows, 0, 10);
        encoder.begin(type, waveform, WriteProfile.STANDARD);
        encoder.channel("EMPTY");
        encoder.channel("B");
        encoder.append(rows, 0, 1000);
        encoder.append(rows, 1000, 5000);
        SampleFile.Written written = write(encoder.finish(), type, waveform);
        RowGroupLayout layout = written.layout().rowGroups().get(0);
        assertThat(layout.channels()).extracting(ChannelRows::name).isEqualTo(List.of("B"));
        SampleFile.assertSame(SampleFile.read(written.file(), layout, rows), rows, 0, rows.count);
      }
    }
  }

  @Test
  void misuseIsNamed() {
    RowGroupEncoder encoder = new RowGroupEncoder();
    assertThatThrownBy(encoder::finish).hasMessage("a row group without rows");
    encoder.begin(ValueType.LONG, false, WriteProfile.STANDARD);
    assertThatThrownBy(() -> encoder.append(new EventColumns(ValueType.LONG, false, 1)))
        .hasMessage("no channel was begun");
    encoder.channel("A");
    assertThatThrownBy(() -> encoder.append(new EventColumns(ValueType.DOUBLE, false, 1)))
        .hasMessage("rows of another type: type=DOUBLE, waveform=false");
  }
}
