package org.kblake.format;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.BitVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.IntVector;
import org.apache.arrow.vector.TimeStampNanoTZVector;
import org.apache.arrow.vector.UInt1Vector;
import org.apache.arrow.vector.UInt2Vector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.dictionary.Dictionary;
import org.apache.arrow.vector.dictionary.DictionaryProvider;
import org.apache.arrow.vector.types.FloatingPointPrecision;
import org.apache.arrow.vector.types.TimeUnit;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.DictionaryEncoding;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.jspecify.annotations.Nullable;
import org.kblake.format.answer.AnswerWriters;

/** An answer as the root of a read, with columns that tests fill. */
public final class TestAnswer implements AutoCloseable {

  static final ZoneId TOKYO = ZoneId.of("Asia/Tokyo");

  static final ArrowType INT16 = new ArrowType.Int(16, true);
  static final ArrowType INT32 = new ArrowType.Int(32, true);
  static final ArrowType UINT8 = new ArrowType.Int(8, false);
  static final ArrowType UINT16 = new ArrowType.Int(16, false);
  static final ArrowType FLOAT32 = new ArrowType.FloatingPoint(FloatingPointPrecision.SINGLE);
  static final ArrowType FLOAT64 = new ArrowType.FloatingPoint(FloatingPointPrecision.DOUBLE);
  static final ArrowType UTF8 = ArrowType.Utf8.INSTANCE;

  /** 2022-03-15T03:18:00.27+09:00. */
  public static final long START_NANOS = 1_647_281_880_270_000_000L;

  final BufferAllocator allocator = new RootAllocator();
  final VectorSchemaRoot root;
  private final Map<Long, Dictionary> names = new HashMap<>();
  final DictionaryProvider dictionaries =
      new DictionaryProvider() {
        @Override
        public @Nullable Dictionary lookup(long id) {
          return names.get(id);
        }

        @Override
        public Set<Long> getDictionaryIds() {
          return names.keySet();
        }
      };

  private TestAnswer(Field value, List<String> channels, List<String> groups, boolean strays) {
    List<Field> fields = new ArrayList<>();
    fields.add(field("time", new ArrowType.Timestamp(TimeUnit.NANOSECOND, "UTC")));
    fields.add(encoded("channel", 0, channels));
    if (!groups.isEmpty()) {
      fields.add(encoded("group", 1, groups));
    }
    fields.add(field("state", UINT8));
    fields.add(field("severity", UINT8));
    fields.add(field("status", UINT16));
    if (strays) {
      fields.add(field("stray", ArrowType.Bool.INSTANCE));
    }
    fields.add(value);
    List<FieldVector> vectors = new ArrayList<>();
    fields.forEach(field -> vectors.add(field.createVector(allocator)));
    root = new VectorSchemaRoot(vectors);
    root.getFieldVectors().forEach(FieldVector::allocateNew);
  }

  /** Returns an answer with values of one type. */
  static TestAnswer of(ArrowType type, String... channels) {
    return new TestAnswer(value(type), List.of(channels), List.of(), false);
  }

  /** Returns an answer with all columns. */
  static TestAnswer of(Field value, List<String> channels, List<String> groups, boolean strays) {
    return new TestAnswer(value, channels, groups, strays);
  }

  static Field value(ArrowType type) {
    return Field.nullable("value", type);
  }

  static Field list(String name, ArrowType type) {
    Field element = new Field("element", FieldType.notNullable(type), null);
    return new Field(name, FieldType.nullable(ArrowType.List.INSTANCE), List.of(element));
  }

  private static Field field(String name, ArrowType type) {
    return new Field(name, FieldType.notNullable(type), null);
  }

  private Field encoded(String name, long id, List<String> texts) {
    VarCharVector vector = new VarCharVector(name, allocator);
    for (int i = 0; i < texts.size(); i++) {
      vector.setSafe(i, texts.get(i).getBytes(UTF_8));
    }
    vector.setValueCount(texts.size());
    DictionaryEncoding encoding = new DictionaryEncoding(id, false, new ArrowType.Int(32, true));
    names.put(id, new Dictionary(vector, encoding));
    return new Field(name, new FieldType(false, new ArrowType.Int(32, true), encoding), null);
  }

  /** Sets a row without its value. */
  TestAnswer row(int row, long nanos, int channel, int state, int severity, int status) {
    ((TimeStampNanoTZVector) root.getVector("time")).setSafe(row, nanos);
    ((IntVector) root.getVector("channel")).setSafe(row, channel);
    ((UInt1Vector) root.getVector("state")).setSafe(row, state);
    ((UInt1Vector) root.getVector("severity")).setSafe(row, severity);
    ((UInt2Vector) root.getVector("status")).setSafe(row, status);
    return this;
  }

  /** Sets a row's group and whether it is a stray. */
  void origin(int row, int group, boolean stray) {
    ((IntVector) root.getVector("group")).setSafe(row, group);
    ((BitVector) root.getVector("stray")).setSafe(row, stray ? 1 : 0);
  }

  void rows(int count) {
    root.setRowCount(count);
  }

  /** Returns the bytes of the answer, with the batch written several times. */
  byte[] bytes(OutputFormat format, boolean seekable, int batches) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (AnswerWriter writer =
        AnswerWriters.open(
            format,
            out,
            seekable,
            root.getSchema().getFields(),
            root.getFieldVectors(),
            dictionaries)) {
      for (int i = 0; i < batches; i++) {
        writer.write();
      }
      writer.finish();
    }
    return out.toByteArray();
  }

  @Override
  public void close() {
    root.close();
    names.values().forEach(dictionary -> dictionary.getVector().close());
    allocator.close();
  }
}
