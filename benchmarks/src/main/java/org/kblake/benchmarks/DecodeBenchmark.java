package org.kblake.benchmarks;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.parquet.ParquetReadOptions;
import org.apache.parquet.column.ColumnReader;
import org.apache.parquet.column.impl.ColumnReadStoreImpl;
import org.apache.parquet.column.page.PageReadStore;
import org.apache.parquet.conf.PlainParquetConfiguration;
import org.apache.parquet.example.data.simple.convert.GroupRecordConverter;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.io.LocalInputFile;
import org.apache.parquet.schema.MessageType;
import org.kblake.core.columns.Codec;
import org.kblake.core.internal.parquet.file.WriteProfile;
import org.kblake.core.model.TimeRange;
import org.kblake.query.ArchiveReader;
import org.kblake.query.question.ChannelSelection;
import org.kblake.query.question.EventQuery;
import org.kblake.query.question.Source;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Reads all events of a channel of doubles from the page cache into reused Arrow vectors, with all
 * columns of an answer and with checksums. Times are delta encoded. For comparison, parquet-java's
 * ColumnReader reads the times and values of the same files and sums them.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(
    value = 1,
    jvmArgsAppend = {"--add-opens=java.base/java.nio=ALL-UNNAMED"})
@Warmup(iterations = 3, time = 3)
@Measurement(iterations = 5, time = 2)
public class DecodeBenchmark {

  /** The encoding of the values. */
  @Param({"plain", "dictionary", "byte-stream-split"})
  public String encoding = "plain";

  private BufferAllocator allocator;
  private ArchiveReader archive;
  private EventQuery query;
  private List<Path> files;

  /** Opens archive and store. */
  @Setup(Level.Trial)
  public void open() throws IOException {
    Path root = root(encoding);
    Path store = store(encoding);
    allocator = new RootAllocator();
    archive = ArchiveReader.builder().archive(root).store(store).open();
    query =
        EventQuery.of(ChannelSelection.names(BenchmarkData.CHANNEL))
            .between(TimeRange.ALL)
            .from(Source.STORE);
    files = files(store);
  }

  private static Path root(String encoding) throws IOException {
    return BenchmarkData.doubles(encoding.equals("dictionary"));
  }

  /** Returns a store in which values have an encoding. */
  public static Path store(String encoding) throws IOException {
    // The lake profile does not use BYTE_STREAM_SPLIT.
    boolean lake = encoding.equals("plain");
    return BenchmarkData.store(root(encoding), new WriteProfile(Codec.LZ4, lake));
  }

  /** Returns the Parquet files of such a store. */
  public static List<Path> files(Path store) throws IOException {
    return BenchmarkData.parquetFiles(store, "double");
  }

  /** Closes everything. */
  @TearDown(Level.Trial)
  public void close() throws IOException {
    archive.close();
    allocator.close();
  }

  /** Reads batches with all columns of an answer. */
  @Benchmark
  public long kblake() throws IOException {
    return AnswerRows.count(archive, query, allocator);
  }

  /** Reads time and value, value by value. */
  @Benchmark
  public double columnReader() throws IOException {
    double sum = 0;
    ParquetReadOptions options =
        ParquetReadOptions.builder(new PlainParquetConfiguration())
            .withCodecFactory(new NativeCodecs())
            .usePageChecksumVerification(false)
            .build();
    for (Path file : files) {
      try (ParquetFileReader reader = ParquetFileReader.open(new LocalInputFile(file), options)) {
        MessageType all = reader.getFileMetaData().getSchema();
        MessageType schema =
            new MessageType(all.getName(), all.getType("time"), all.getType("value"));
        reader.setRequestedSchema(schema);
        PageReadStore pages = reader.readNextRowGroup();
        while (pages != null) {
          sum += sum(schema, pages, reader.getFileMetaData().getCreatedBy());
          pages = reader.readNextRowGroup();
        }
      }
    }
    return sum;
  }

  private static double sum(MessageType schema, PageReadStore pages, String createdBy) {
    ColumnReadStoreImpl columns =
        new ColumnReadStoreImpl(
            pages, new GroupRecordConverter(schema).getRootConverter(), schema, createdBy);
    ColumnReader times = columns.getColumnReader(schema.getColumns().get(0));
    ColumnReader values = columns.getColumnReader(schema.getColumns().get(1));
    int present = schema.getColumns().get(1).getMaxDefinitionLevel();
    double sum = 0;
    for (long row = 0; row < pages.getRowCount(); row++) {
      sum += times.getLong();
      times.consume();
      if (values.getCurrentDefinitionLevel() == present) {
        sum += values.getDouble();
      }
      values.consume();
    }
    return sum;
  }
}
