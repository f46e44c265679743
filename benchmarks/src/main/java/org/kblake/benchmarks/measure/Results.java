package org.kblake.benchmarks.measure;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** The results of rows, as one JSON file for each row in a directory. */
public final class Results {

  private final Path directory;
  private final ObjectMapper json = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

  public Results(Path directory) {
    this.directory = directory;
  }

  /** Stores the result of a row. It replaces the previous result. */
  public void put(RowResult row) throws IOException {
    Files.createDirectories(directory);
    String name = String.format(Locale.ROOT, "%02d-%s.json", row.number(), row.name());
    Files.writeString(directory.resolve(name), json.writeValueAsString(row) + "\n");
  }

  /** Returns the stored results of all rows, by number. */
  public List<RowResult> all() throws IOException {
    List<RowResult> rows = new ArrayList<>();
    try (Stream<Path> files = Files.list(directory)) {
      List<Path> sorted = files.filter(it -> it.toString().endsWith(".json")).sorted().toList();
      for (Path file : sorted) {
        rows.add(json.readValue(file.toFile(), RowResult.class));
      }
    }
    return rows;
  }
}
