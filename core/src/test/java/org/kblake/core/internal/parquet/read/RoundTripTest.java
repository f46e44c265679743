package org.kblake.core.internal.parquet.read;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.kblake.core.columns.Codec;
import org.kblake.core.columns.EventColumns;
import org.kblake.core.internal.fixture.Seeds;
import org.kblake.core.internal.parquet.file.RowGroupLayout;
import org.kblake.core.internal.parquet.file.WriteProfile;
import org.kblake.core.internal.store.RecordContents;
import org.kblake.core.model.ValueType;

class RoundTripTest {

  /** 32 values fill a miniblock, 128 a block (behind the first value), 4,096 rows a page. */
  private static final int[] SIZES = {
    1, 2, 7, 8, 9, 31, 32, 33, 34, 127, 128, 129, 130, 257, 4095, 4096, 4097
  };

  /** Each case takes one of these sizes, because they take most of the time. */
  private static final int[] LARGE_SIZES = {8192, 8193, 9001};

  static Stream<Arguments> typesAndShapes() {
    List<Arguments> all = new ArrayList<>();
    for (ValueType type : ValueType.values()) {
      for (boolean waveform : new boolean[] {false, true}) {
        for (SampleRows.Shape shape : SampleRows.Shape.values()) {
          for (SampleRows.Order order : SampleRows.Order.values()) {
            all.add(Arguments.of(type, waveform, shape, order));
          }
        }
      }
    }
    return Seeds.sample(5, all);
  }

  @ParameterizedTest
  @MethodSource("typesAndShapes")
  void everyBitIsRestoredForEverySize(
      ValueType type, boolean waveform, SampleRows.Shape shape, SampleRows.Order order)
      throws IOException {
    long seed = Seeds.one("RoundTripTest " + type + " " + waveform + " " + shape + " " + order);
    List<EventColumns> rowGroups = new ArrayList<>();
    for (int size : SIZES) {
      rowGroups.add(SampleRows.of(type, waveform, size, shape, order, seed + size));
    }
    int large = LARGE_SIZES[Math.floorMod(seed, LARGE_SIZES.length)];
    rowGroups.add(SampleRows.of(type, waveform, large, shape, order, seed + large));
    SampleFile.Written written = SampleFile.write(WriteProfile.STANDARD, rowGroups);
    for (int i = 0; i < rowGroups.size(); i++) {
      EventColumns expected = rowGroups.get(i);
      RowGroupLayout layout = written.layout().rowGroups().get(i);
      EventColumns found = SampleFile.read(written.file(), layout, expected);
      SampleFile.assertSame(found, expected, 0, expected.count);
    }
    assertThat(RecordContents.of(FooterReader.read(written.file())))
        .isEqualTo(RecordContents.of(written.layout()));
  }

  @ParameterizedTest
  @EnumSource
  void everyCodecGivesTheSameRows(Codec codec) throws IOException {
    for (boolean lake : new boolean[] {false, true}) {
      for (ValueType type : ValueType.values()) {
        EventColumns rows =
            SampleRows.of(type, true, 5000, SampleRows.Shape.MIXED, SampleRows.Order.WILD, 1);
        SampleFile.Written written = SampleFile.write(new WriteProfile(codec, lake), List.of(rows));
        EventColumns found =
            SampleFile.read(written.file(), written.layout().rowGroups().get(0), rows);
        SampleFile.assertSame(found, rows, 0, rows.count);
      }
    }
  }

  /** Reading single pages in any order gives the same rows as reading all of them. */
  @Test
  void pagesCanBeReadOneByOneInAnyOrder() throws IOException {
    long seed = Seeds.one("RoundTripTest, pages");
    Random random = new Random(seed);
    for (ValueType type : ValueType.values()) {
      EventColumns rows =
          SampleRows.of(type, true, 20_000, SampleRows.Shape.FEW, SampleRows.Order.WILD, seed);
      SampleFile.Written written = SampleFile.write(WriteProfile.STANDARD, List.of(rows, rows));
      EventPageReader reader = new EventPageReader();
      EventColumns into = new EventColumns(type, true, 1);
      for (int i = 0; i < 20; i++) {
        RowGroupLayout layout = written.layout().rowGroups().get(random.nextInt(2));
        int from = random.nextInt(layout.pages());
        int to = from + 1 + random.nextInt(layout.pages() - from);
        reader.read(written.file(), layout, from, to, SampleFile.ALL, into);
        SampleFile.assertSame(into, rows, layout.pageRows()[from], layout.pageRows()[to]);
      }
    }
  }
}
