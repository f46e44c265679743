package org.kblake.query.internal.arrow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.BitVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.IntVector;
import org.apache.arrow.vector.TimeStampNanoTZVector;
import org.apache.arrow.vector.UInt1Vector;
import org.apache.arrow.vector.UInt2Vector;
import org.apache.arrow.vector.VectorLoader;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ipc.message.ArrowRecordBatch;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.kblake.core.columns.EventColumns;
import org.kblake.core.model.EventState;
import org.kblake.core.model.ValueType;
import org.kblake.query.arrow.EventSchema;
import org.kblake.query.arrow.ValueShape;

final class EventBatchTest {

  private final BufferAllocator allocator = new RootAllocator();

  @AfterEach
  void everyBufferIsFreed() {
    allocator.close();
  }

  @ParameterizedTest
  @EnumSource(ValueType.class)
  void everyTypeIsCopiedExactly(ValueType type) {
    // 1,500 rows exceed the arrays of 1,024 through which rows are copied. 7 rows do not fill a
    // byte of a bitmap.
    for (boolean waveform : new boolean[] {false, true}) {
      BatchSchema schema =
          BatchSchema.of(List.of(new ValueShape(type, waveform)), false, true, true);
      EventColumns events = events(type, waveform, 1_500, type.code());
      try (EventBatch batch = new EventBatch(allocator, schema, 4_000, 1 << 20);
          VectorSchemaRoot root = root(schema)) {
        batch.begin();
        assertThat(batch.append(events, 3, 10, 1, 0)).isEqualTo(7);
        assertThat(batch.append(events, 10, 11, 0, 1)).isEqualTo(1);
        assertThat(batch.append(events, 11, 1_500, 2, 1)).isEqualTo(1_489);
        load(batch, root);

        assertThat(root.getRowCount()).isEqualTo(1_497);
        IntVector channels = (IntVector) root.getVector(EventSchema.CHANNEL);
        IntVector groups = (IntVector) root.getVector(EventSchema.GROUP);
        assertThat(List.of(channels.get(0), channels.get(7), channels.get(8), channels.get(1_496)))
            .containsExactly(1, 0, 2, 2);
        assertThat(List.of(groups.get(6), groups.get(7))).containsExactly(0, 1);
        for (int row = 0; row < root.getRowCount(); row++) {
          assertRow(root, row, events, row + 3);
        }
      }
    }
  }

  @Test
  void severalTypesAreWrittenAsFlatColumns() {
    BatchSchema schema =
        schema(
            new ValueShape(ValueType.DOUBLE, true),
            new ValueShape(ValueType.STRING, false),
            new ValueShape(ValueType.SHORT, false),
            new ValueShape(ValueType.FLOAT, false),
            new ValueShape(ValueType.STRING, true));
    EventColumns texts = events(ValueType.STRING, false, 40, 1);
    EventColumns shorts = events(ValueType.SHORT, false, 2_000, 2);
    EventColumns lists = events(ValueType.DOUBLE, true, 40, 3);
    EventColumns floats = events(ValueType.FLOAT, false, 1_500, 4);
    EventColumns textLists = events(ValueType.STRING, true, 30, 5);
    try (EventBatch batch = new EventBatch(allocator, schema, 5_000, 1 << 20);
        VectorSchemaRoot root = root(schema)) {
      // The second round uses the same buffers again.
      for (int round = 0; round < 2; round++) {
        root.clear();
        batch.begin();
        batch.append(texts, 0, 20, 0, 0);
        batch.append(shorts, 0, 2_000, 1, 0);
        batch.append(lists, 5, 40, 2, 0);
        batch.append(texts, 20, 40, 0, 0);
        batch.append(floats, 0, 1_500, 3, 0);
        batch.append(textLists, 0, 30, 4, 0);
        load(batch, root);

        for (int row = 0; row < 20; row++) {
          assertOnly(root, row, EventSchema.VALUE_TEXT, text(texts, row));
          assertOnly(root, 2_055 + row, EventSchema.VALUE_TEXT, text(texts, 20 + row));
        }
        for (int row = 0; row < 2_000; row++) {
          assertOnly(root, 20 + row, EventSchema.VALUE, widened(shorts, row));
        }
        for (int row = 5; row < 40; row++) {
          assertOnly(root, 2_015 + row, EventSchema.VALUE_LIST, text(lists, row));
        }
        for (int row = 0; row < 1_500; row++) {
          assertOnly(root, 2_075 + row, EventSchema.VALUE, widened(floats, row));
        }
        for (int row = 0; row < 30; row++) {
          assertOnly(root, 3_575 + row, EventSchema.VALUE_TEXT_LIST, text(textLists, row));
        }
      }
    }
  }

  /** Only kinds that can occur have a column. If there is one kind, its column is {@code value}. */
  @Test
  void columnsFollowTheKindsOfTheChannels() {
    ValueShape numbers = new ValueShape(ValueType.SHORT, false);
    ValueShape others = new ValueShape(ValueType.LONG, false);
    ValueShape texts = new ValueShape(ValueType.STRING, false);
    ValueShape lists = new ValueShape(ValueType.FLOAT, true);
    ValueShape textLists = new ValueShape(ValueType.STRING, true);
    assertThat(values(schema())).containsExactly("value: FloatingPoint(DOUBLE)");
    assertThat(values(schema(numbers))).containsExactly("value: Int(16, true)");
    assertThat(values(schema(numbers, others))).containsExactly("value: FloatingPoint(DOUBLE)");
    assertThat(values(schema(textLists))).containsExactly("value: List<element: Utf8 not null>");
    assertThat(values(schema(texts, textLists)))
        .containsExactly("value_text: Utf8", "value_text_list: List<element: Utf8 not null>");
    assertThat(values(schema(textLists, lists, numbers, texts)))
        .containsExactly(
            "value: Int(16, true)",
            "value_text: Utf8",
            "value_list: List<element: FloatingPoint(SINGLE) not null>",
            "value_text_list: List<element: Utf8 not null>");
  }

  @Test
  void eventsOfATypeWithoutColumnAreRefused() {
    EventColumns doubles = events(ValueType.DOUBLE, false, 3, 1);
    try (EventBatch batch =
        new EventBatch(allocator, schema(new ValueShape(ValueType.FLOAT, false)), 10, 1 << 20)) {
      batch.begin();
      assertThatThrownBy(() -> batch.append(doubles, 0, 3, 0, 0))
          .hasMessage(
              "events of a type that the answer has no column for: type=double, columns=[float]");
    }
  }

  /** A vector of lists does not keep the name of its elements. */
  @Test
  void schemaOfTheRootKeepsTheNamesOfElements() {
    BatchSchema schema = schema(new ValueShape(ValueType.FLOAT, true));
    try (BatchVectors vectors = new BatchVectors(allocator, schema)) {
      assertThat(vectors.root().getSchema().getFields()).isEqualTo(schema.fields());
    }
  }

  private static BatchSchema schema(ValueShape... shapes) {
    return BatchSchema.of(List.of(shapes), false, false, false);
  }

  private static List<String> values(BatchSchema schema) {
    return schema.fields().stream()
        .filter(field -> field.getName().startsWith("value"))
        .map(Field::toString)
        .toList();
  }

  /**
   * Asserts that a row has its value in one column, and a null in the others.
   *
   * @param value null if it has none
   */
  private static void assertOnly(
      VectorSchemaRoot root, int row, String column, @Nullable Object value) {
    for (FieldVector vector : root.getFieldVectors()) {
      if (vector.getName().startsWith("value")) {
        Object found = vector.getObject(row);
        Object text =
            found instanceof List<?> list
                ? list.stream().map(EventBatchTest::text).toList()
                : found == null ? null : text(found);
        Object expected = vector.getName().equals(column) ? value : null;
        if (!Objects.equals(text, expected)) {
          throw new AssertionError(
              vector.getName() + " of row " + row + " is " + text + ", not " + expected);
        }
      }
    }
  }

  private static @Nullable Object text(EventColumns events, int row) {
    if (events.state[row] != EventState.VALUE_CODE) {
      return null;
    }
    if (!events.waveform()) {
      return element(events, row);
    }
    List<String> elements = new ArrayList<>();
    for (int i = events.listStarts[row]; i < events.listStarts[row + 1]; i++) {
      elements.add(element(events, i));
    }
    return elements;
  }

  /** Returns a number as the bits of a double. */
  private static @Nullable Object widened(EventColumns numbers, int row) {
    if (numbers.state[row] != EventState.VALUE_CODE) {
      return null;
    }
    long value = numbers.values[row];
    return text(
        numbers.type() == ValueType.FLOAT
            ? (double) Float.intBitsToFloat((int) value)
            : (double) value);
  }

  @Test
  void asDoubleTurnsEveryTypeIntoOneColumn() {
    BatchSchema schema =
        BatchSchema.of(
            List.of(
                new ValueShape(ValueType.LONG, false),
                new ValueShape(ValueType.FLOAT, true),
                new ValueShape(ValueType.STRING, false)),
            true,
            false,
            false);
    EventColumns longs = events(ValueType.LONG, false, 10, 1);
    EventColumns floats = events(ValueType.FLOAT, true, 10, 2);
    EventColumns texts = events(ValueType.STRING, false, 10, 3);
    try (EventBatch batch = new EventBatch(allocator, schema, 100, 1 << 20);
        VectorSchemaRoot root = root(schema)) {
      batch.begin();
      batch.append(longs, 0, 10, 0, 0);
      batch.append(floats, 0, 10, 0, 0);
      batch.append(texts, 0, 10, 0, 0);
      load(batch, root);

      for (int row = 0; row < 10; row++) {
        boolean isValue = longs.state[row] == EventState.VALUE_CODE;
        assertThat(root.getVector("value").getObject(row))
            .isEqualTo(isValue ? List.of((double) (int) longs.values[row]) : null);
        assertThat(root.getVector("value").getObject(10 + row))
            .isEqualTo(floats.state[row] == EventState.VALUE_CODE ? doubles(floats, row) : null);
        assertThat(root.getVector("value").getObject(20 + row))
            .isEqualTo(texts.state[row] == EventState.VALUE_CODE ? List.of(Double.NaN) : null);
      }
    }
  }

  @Test
  void aBatchEndsAtItsRowsAndBytes() {
    BatchSchema schema =
        BatchSchema.of(List.of(new ValueShape(ValueType.DOUBLE, true)), false, false, false);
    EventColumns events = new EventColumns(ValueType.DOUBLE, true, 4);
    events.ensureElements(400);
    events.count = 4;
    for (int row = 0; row <= 4; row++) {
      events.listStarts[row] = row * 100;
    }
    // 100 elements take 800 bytes. Three rows exceed 2,000 bytes. One row exceeds 500, but is never
    // left out.
    try (EventBatch two = new EventBatch(allocator, schema, 100, 2_000);
        EventBatch one = new EventBatch(allocator, schema, 100, 500);
        EventBatch three = new EventBatch(allocator, schema, 3, 1 << 20)) {
      two.begin();
      one.begin();
      three.begin();
      assertThat(two.append(events, 0, 4, 0, 0)).isEqualTo(2);
      assertThat(two.append(events, 2, 4, 0, 0)).isZero();
      assertThat(one.append(events, 0, 4, 0, 0)).isEqualTo(1);
      assertThat(one.append(events, 1, 4, 0, 0)).isZero();
      assertThat(three.append(events, 0, 4, 0, 0)).isEqualTo(3);
      assertThat(three.append(events, 3, 4, 0, 0)).isZero();
    }
  }

  @Test
  void buffersAreReusedUnlessTheyWereRetained() {
    BatchSchema schema =
        BatchSchema.of(List.of(new ValueShape(ValueType.DOUBLE, false)), false, false, false);
    EventColumns first = events(ValueType.DOUBLE, false, 10, 1);
    EventColumns second = events(ValueType.DOUBLE, false, 10, 2);
    try (EventBatch batch = new EventBatch(allocator, schema, 100, 1 << 20);
        VectorSchemaRoot root = root(schema)) {
      batch.begin();
      batch.append(first, 0, 10, 0, 0);
      load(batch, root);
      long address = root.getVector("time").getDataBuffer().memoryAddress();
      ArrowBuf kept = root.getVector("value").getDataBuffer();
      kept.getReferenceManager().retain();
      long sum = kept.getLong(0) + kept.getLong(8);

      root.clear();
      batch.begin();
      batch.append(second, 0, 10, 0, 0);
      load(batch, root);

      assertThat(root.getVector("time").getDataBuffer().memoryAddress()).isEqualTo(address);
      assertThat(root.getVector("value").getDataBuffer().memoryAddress())
          .isNotEqualTo(kept.memoryAddress());
      assertThat(kept.getLong(0) + kept.getLong(8)).isEqualTo(sum);
      kept.close();
    }
  }

  private static EventColumns events(ValueType type, boolean waveform, int rows, long seed) {
    System.out.println("seed " + seed + ", type " + type + ", waveform " + waveform);
    SplittableRandom random = new SplittableRandom(seed);
    EventColumns events = new EventColumns(type, waveform, rows);
    events.count = rows;
    int elements = 0;
    int text = 0;
    for (int row = 0; row < rows; row++) {
      events.timeNanos[row] = random.nextLong();
      // Runs of values set both whole bytes and single bits of the bitmap.
      boolean value = row % 100 < 50 || random.nextInt(3) > 0;
      events.state[row] = (byte) (value ? EventState.VALUE_CODE : random.nextInt(2));
      events.severity[row] = (byte) random.nextInt(4);
      events.status[row] = (short) random.nextInt(1 << 16);
      events.stray[row] = (byte) random.nextInt(2);
      int rowElements = waveform ? (value ? 1 + random.nextInt(5) : 0) : 1;
      events.ensureElements(elements + rowElements);
      for (int i = 0; i < rowElements; i++, elements++) {
        if (type == ValueType.STRING) {
          byte[] word =
              (value ? "π=" + random.nextInt(1_000) : "").getBytes(StandardCharsets.UTF_8);
          events.ensureText(text + word.length);
          System.arraycopy(word, 0, events.text, text, word.length);
          text += word.length;
          events.textStarts[elements + 1] = text;
        } else {
          events.values[elements] = value ? bits(type, random) : 0;
        }
      }
      if (waveform) {
        events.listStarts[row + 1] = elements;
      }
    }
    return events;
  }

  private static long bits(ValueType type, SplittableRandom random) {
    return switch (type) {
      case DOUBLE -> random.nextLong();
      case FLOAT, LONG -> random.nextInt();
      case SHORT -> (short) random.nextInt();
      case ENUM -> random.nextInt(1 << 16);
      case CHAR -> random.nextInt(1 << 8);
      case STRING -> throw new IllegalArgumentException("text has no bits");
    };
  }

  private VectorSchemaRoot root(BatchSchema schema) {
    return VectorSchemaRoot.create(new Schema(schema.fields()), allocator);
  }

  private static void load(EventBatch batch, VectorSchemaRoot root) {
    try (ArrowRecordBatch arrow = batch.finish()) {
      new VectorLoader(root).load(arrow);
    }
  }

  private static void assertRow(VectorSchemaRoot root, int row, EventColumns events, int at) {
    TimeStampNanoTZVector time = (TimeStampNanoTZVector) root.getVector(EventSchema.TIME);
    assertThat(time.get(row)).isEqualTo(events.timeNanos[at]);
    assertThat(((UInt1Vector) root.getVector(EventSchema.STATE)).get(row))
        .isEqualTo(events.state[at]);
    assertThat(((UInt1Vector) root.getVector(EventSchema.SEVERITY)).get(row))
        .isEqualTo(events.severity[at]);
    assertThat((short) ((UInt2Vector) root.getVector(EventSchema.STATUS)).get(row))
        .isEqualTo(events.status[at]);
    assertThat(((BitVector) root.getVector(EventSchema.STRAY)).get(row))
        .isEqualTo(events.stray[at]);
    assertValue(root, row, events, at);
  }

  private static void assertValue(VectorSchemaRoot root, int row, EventColumns events, int at) {
    assertOnly(root, row, EventSchema.VALUE, text(events, at));
  }

  /** Returns an element as its bits in decimal, or as text, so that NaN payloads count. */
  private static String text(Object value) {
    if (value instanceof Double number) {
      return Long.toString(Double.doubleToRawLongBits(number));
    }
    if (value instanceof Float number) {
      return Integer.toString(Float.floatToRawIntBits(number));
    }
    return value instanceof Character unsigned
        ? Integer.toString(unsigned)
        : value instanceof Byte small
            ? Integer.toString(Byte.toUnsignedInt(small))
            : value.toString();
  }

  private static String element(EventColumns events, int element) {
    if (events.type() == ValueType.STRING) {
      int from = events.textStarts[element];
      int length = events.textStarts[element + 1] - from;
      return new String(events.text, from, length, StandardCharsets.UTF_8);
    }
    return Long.toString(events.values[element]);
  }

  private static List<Double> doubles(EventColumns floats, int row) {
    List<Double> values = new ArrayList<>();
    for (int i = floats.listStarts[row]; i < floats.listStarts[row + 1]; i++) {
      values.add((double) Float.intBitsToFloat((int) floats.values[i]));
    }
    return values;
  }
}
