package org.kblake.benchmarks;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.OutputStream;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.Float8Vector;
import org.apache.arrow.vector.IntVector;
import org.apache.arrow.vector.TimeStampNanoTZVector;
import org.apache.arrow.vector.UInt1Vector;
import org.apache.arrow.vector.UInt2Vector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.dictionary.Dictionary;
import org.apache.arrow.vector.dictionary.DictionaryProvider;
import org.apache.arrow.vector.types.FloatingPointPrecision;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.DictionaryEncoding;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.kblake.core.columns.EventColumns;
import org.kblake.core.model.Channel;
import org.kblake.core.model.EventState;
import org.kblake.core.model.Group;
import org.kblake.core.model.ValueType;
import org.kblake.format.AnswerWriter;
import org.kblake.format.OutputFormat;
import org.kblake.format.answer.AnswerWriters;
import org.kblake.format.text.EventLines;
import org.kblake.format.text.LineForm;
import org.kblake.format.time.TimeStyle;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/** Measures the writing of a double channel at 1 Hz with jitter in a format, in rows per second. */
@State(Scope.Thread)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(
    value = 1,
    jvmArgsAppend = {"--add-opens=java.base/java.nio=ALL-UNNAMED"})
public class FormatBenchmark {

  private static final int ROWS = 64_512;
  private static final Channel CHANNEL = new Channel(Group.parse("BM/DCCT"), "BMLDCCT:CURRENT");

  /** The format. */
  @Param({"CSV", "TSV", "JSON", "ARROW", "PARQUET"})
  public OutputFormat format;

  /**
   * The distribution of the values. A random walk has 16 or 17 digits, a reading of an ADC has a
   * few.
   */
  @Param({"walk", "quantised"})
  public String values;

  private BufferAllocator allocator;
  private VectorSchemaRoot root;
  private VarCharVector names;
  private DictionaryProvider dictionaries;
  private EventColumns columns;

  /** Fills a batch. */
  @Setup(Level.Trial)
  public void fill() {
    allocator = new RootAllocator();
    names = new VarCharVector("channel", allocator);
    names.setSafe(0, CHANNEL.name().getBytes(UTF_8));
    names.setValueCount(1);
    ArrowType.Int int32 = new ArrowType.Int(32, true);
    DictionaryEncoding encoding = new DictionaryEncoding(0, false, int32);
    dictionaries = new OneDictionary(new Dictionary(names, encoding));
    ArrowType nanos =
        new ArrowType.Timestamp(org.apache.arrow.vector.types.TimeUnit.NANOSECOND, "UTC");
    List<FieldVector> vectors = new ArrayList<>();
    for (Field field :
        List.of(
            new Field("time", FieldType.notNullable(nanos), null),
            new Field("channel", new FieldType(false, int32, encoding), null),
            new Field("state", FieldType.notNullable(new ArrowType.Int(8, false)), null),
            new Field("severity", FieldType.notNullable(new ArrowType.Int(8, false)), null),
            new Field("status", FieldType.notNullable(new ArrowType.Int(16, false)), null),
            Field.nullable("value", new ArrowType.FloatingPoint(FloatingPointPrecision.DOUBLE)))) {
      vectors.add(field.createVector(allocator));
    }
    root = new VectorSchemaRoot(vectors);
    vectors.forEach(FieldVector::allocateNew);
    columns = new EventColumns(ValueType.DOUBLE, false, ROWS);
    columns.count = ROWS;
    fillRows();
  }

  private void fillRows() {
    SplittableRandom random = new SplittableRandom(1);
    long nanos = 1_463_324_400_000_000_000L;
    double walk = 500;
    for (int row = 0; row < ROWS; row++) {
      nanos += 999_000_000L + random.nextInt(2_000_000);
      walk += random.nextDouble() - 0.5;
      ((TimeStampNanoTZVector) root.getVector("time")).setSafe(row, nanos);
      ((IntVector) root.getVector("channel")).setSafe(row, 0);
      ((UInt1Vector) root.getVector("state")).setSafe(row, 2);
      ((UInt1Vector) root.getVector("severity")).setSafe(row, 0);
      ((UInt2Vector) root.getVector("status")).setSafe(row, 0);
      double value = values.equals("walk") ? walk : Math.rint(walk * 100) / 100;
      ((Float8Vector) root.getVector("value")).setSafe(row, value);
      columns.timeNanos[row] = nanos;
      columns.state[row] = EventState.VALUE_CODE;
      columns.values[row] = Double.doubleToRawLongBits(value);
    }
    root.setRowCount(ROWS);
  }

  /** Frees the batch. */
  @TearDown(Level.Trial)
  public void free() {
    root.close();
    names.close();
    allocator.close();
  }

  /** Writes the batch, or text of the same rows. The bytes are discarded. */
  @Benchmark
  @OperationsPerInvocation(ROWS)
  public void write() throws IOException {
    if (format.text()) {
      EventLines lines = new EventLines(OutputStream.nullOutputStream(), form());
      lines.write(CHANNEL, columns, 0, ROWS);
      lines.finish();
      return;
    }
    try (AnswerWriter writer =
        AnswerWriters.open(
            format,
            OutputStream.nullOutputStream(),
            false,
            root.getSchema().getFields(),
            root.getFieldVectors(),
            dictionaries)) {
      writer.write();
      writer.finish();
    }
  }

  private LineForm form() {
    return new LineForm(format, TimeStyle.ISO, ZoneId.of("Asia/Tokyo"), false, false);
  }

  private record OneDictionary(Dictionary dictionary) implements DictionaryProvider {

    @Override
    public Dictionary lookup(long id) {
      return dictionary;
    }

    @Override
    public Set<Long> getDictionaryIds() {
      return Set.of(0L);
    }
  }
}
