package org.kblake.benchmarks.jparc;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.apache.parquet.ParquetReadOptions;
import org.apache.parquet.column.Encoding;
import org.apache.parquet.conf.PlainParquetConfiguration;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.hadoop.metadata.BlockMetaData;
import org.apache.parquet.hadoop.metadata.ColumnChunkMetaData;
import org.apache.parquet.io.LocalInputFile;

/** The encodings and codecs that the chunks of values in a store have. */
final class ValueEncodings {

  private ValueEncodings() {}

  /** Returns a text such as {@code byte-stream-split, lz4}. */
  static String of(Path store) throws IOException {
    ParquetReadOptions options =
        ParquetReadOptions.builder(new PlainParquetConfiguration()).build();
    Set<String> found = new TreeSet<>();
    for (Path file : parquetFiles(store)) {
      try (ParquetFileReader reader = ParquetFileReader.open(new LocalInputFile(file), options)) {
        for (BlockMetaData rowGroup : reader.getRowGroups()) {
          for (ColumnChunkMetaData column : rowGroup.getColumns()) {
            if (column.getPath().toDotString().equals("value")) {
              found.add(encoding(column) + ", " + codec(column));
            }
          }
        }
      }
    }
    return String.join(" or ", found);
  }

  private static List<Path> parquetFiles(Path store) throws IOException {
    try (Stream<Path> files = Files.walk(store)) {
      return files.filter(it -> it.toString().endsWith(".parquet")).toList();
    }
  }

  private static String encoding(ColumnChunkMetaData column) {
    if (column.hasDictionaryPage()) {
      return "dictionary";
    }
    // Levels are RLE.
    List<String> names = new ArrayList<>();
    for (Encoding encoding : column.getEncodings()) {
      if (encoding != Encoding.RLE) {
        names.add(encoding == Encoding.DELTA_BINARY_PACKED ? "delta" : lower(encoding.name()));
      }
    }
    return String.join(" and ", names);
  }

  private static String codec(ColumnChunkMetaData column) {
    return switch (column.getCodec()) {
      case UNCOMPRESSED -> "none";
      case LZ4_RAW -> "lz4";
      default -> lower(column.getCodec().name());
    };
  }

  private static String lower(String name) {
    return name.toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
