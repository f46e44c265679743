package org.kblake.core.internal.parquet.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.fail;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.kblake.core.columns.Codec;
import org.kblake.core.columns.CorruptBlockException;
import org.kblake.core.columns.EventColumn;
import org.kblake.core.columns.EventColumns;
import org.kblake.core.internal.fixture.Seeds;
import org.kblake.core.internal.parquet.file.ColumnLayout;
import org.kblake.core.internal.parquet.file.FileFooter;
import org.kblake.core.internal.parquet.file.RowGroupLayout;
import org.kblake.core.internal.parquet.file.WriteProfile;
import org.kblake.core.internal.store.RecordContents;
import org.kblake.core.model.ValueType;

/**
 * Changed bytes are detected and located. They cause no other exception than {@link
 * CorruptBlockException}.
 */
class DamageTest {

  /** Flips every bit of every page that is read, headers and dictionaries included. */
  @ParameterizedTest
  @EnumSource
  void everyFlippedBitOfAPageIsFound(Codec codec) throws IOException {
    EventColumns rows =
        SampleRows.of(ValueType.DOUBLE, false, 20, SampleRows.Shape.FEW, SampleRows.Order.WILD, 5);
    SampleFile.Written written = SampleFile.write(new WriteProfile(codec, false), List.of(rows));
    RowGroupLayout layout = written.layout().rowGroups().get(0).withoutConstants();
    EventPageReader reader = new EventPageReader();
    EventColumns into = new EventColumns(ValueType.DOUBLE, false, 64);
    int first = (int) layout.column(EventColumn.TIME).offset();
    ColumnLayout last = layout.column(EventColumn.TIE);
    long end = last.offset() + last.bytes();
    MemoryFile file = written.file();
    for (int position = first; position < end; position++) {
      for (int bit = 0; bit < 8; bit++) {
        file.bytes[position] ^= (byte) (1 << bit);
        try {
          // A new file each time, because dictionaries are kept from one read of a file to the
          // next.
          reader.read(new MemoryFile(file.bytes), layout, 0, 1, SampleFile.ALL, into);
          fail("bit " + bit + " of byte " + position + " was missed");
        } catch (CorruptBlockException e) {
          assertNamesEverything(e);
        }
        file.bytes[position] ^= (byte) (1 << bit);
      }
    }
  }

  private static void assertNamesEverything(CorruptBlockException e) {
    String message = String.valueOf(e.getMessage());
    boolean complete =
        message.contains("events.parquet")
            && message.contains("offset=")
            && message.contains("found=")
            && message.contains("expected=");
    if (!complete) {
      fail("message is incomplete: " + message);
    }
  }

  /** The checksum of the footer covers the page indexes and the footer. */
  @Test
  void everyFlippedBitOfFooterAndIndexesIsFound() throws IOException {
    EventColumns rows =
        SampleRows.of(
            ValueType.LONG, false, 5000, SampleRows.Shape.COUNTER, SampleRows.Order.TAME, 5);
    SampleFile.Written written = SampleFile.write(WriteProfile.STANDARD, List.of(rows));
    MemoryFile file = written.file();
    int from = (int) FileFooter.read(file).indexOffset();
    for (int position = from; position < file.bytes.length; position++) {
      for (int bit = 0; bit < 8; bit++) {
        file.bytes[position] ^= (byte) (1 << bit);
        try {
          FooterReader.read(file);
          fail("bit " + bit + " of byte " + position + " was missed");
        } catch (CorruptBlockException e) {
          assertNamesEverything(e);
        }
        file.bytes[position] ^= (byte) (1 << bit);
      }
    }
  }

  @Test
  void aFileCutAtAnyByteIsFound() throws IOException {
    EventColumns rows =
        SampleRows.of(
            ValueType.STRING, true, 20, SampleRows.Shape.RANDOM, SampleRows.Order.WILD, 5);
    SampleFile.Written written = SampleFile.write(WriteProfile.STANDARD, List.of(rows));
    RowGroupLayout layout = written.layout().rowGroups().get(0);
    ColumnLayout last = layout.column(EventColumn.TIE);
    byte[] bytes = written.file().bytes;
    for (int length = 0; length < bytes.length; length++) {
      MemoryFile cut = new MemoryFile(Arrays.copyOf(bytes, length));
      assertThatThrownBy(() -> FooterReader.read(cut)).isInstanceOf(CorruptBlockException.class);
      if (length < last.offset() + last.bytes()) {
        EventColumns into = new EventColumns(ValueType.STRING, true, 64);
        assertThatThrownBy(
                () -> new EventPageReader().read(cut, layout, 0, 1, SampleFile.ALL, into))
            .isInstanceOf(CorruptBlockException.class);
      }
    }
  }

  /** Overwrites spans with noise, zeros or ones. The rows are right, or the damage is reported. */
  @Test
  void overwrittenBytesGiveTheSameRowsOrAnError() throws IOException {
    long seed = Seeds.one("DamageTest");
    Random random = new Random(seed);
    for (ValueType type : ValueType.values()) {
      boolean waveform = random.nextBoolean();
      EventColumns rows =
          SampleRows.of(type, waveform, 6000, SampleRows.Shape.MIXED, SampleRows.Order.WILD, seed);
      SampleFile.Written written = SampleFile.write(WriteProfile.STANDARD, List.of(rows));
      RowGroupLayout layout = written.layout().rowGroups().get(0);
      for (int i = 0; i < 60; i++) {
        MemoryFile damaged = new MemoryFile(written.file().bytes.clone());
        overwrite(damaged.bytes, random);
        EventColumns into = new EventColumns(type, waveform, 1);
        try {
          new EventPageReader().read(damaged, layout, 0, layout.pages(), SampleFile.ALL, into);
          SampleFile.assertSame(into, rows, 0, rows.count);
        } catch (CorruptBlockException e) {
          assertThat(e).hasMessageContaining("events.parquet");
        }
        try {
          assertThat(RecordContents.of(FooterReader.read(damaged)))
              .isEqualTo(RecordContents.of(written.layout()));
        } catch (CorruptBlockException e) {
          assertThat(e).hasMessageContaining("events.parquet");
        }
      }
    }
  }

  private static void overwrite(byte[] bytes, Random random) {
    int from = random.nextInt(bytes.length);
    int to = Math.min(bytes.length, from + 1 + random.nextInt(40));
    int how = random.nextInt(3);
    for (int i = from; i < to; i++) {
      bytes[i] = (byte) (how == 0 ? random.nextInt() : how == 1 ? 0 : -1);
    }
  }
}
