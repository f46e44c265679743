package org.kblake.record.host;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.kblake.record.host.Rows.Counter;

/** A directory with files like those of /proc. */
final class ProcDirectory {

  private final Path directory;

  ProcDirectory(Path directory) {
    this.directory = directory;
  }

  HostSettings settings(int hertz) {
    return new HostSettings(directory, "HOST", hertz);
  }

  /** Copies the files of a kernel from the resources; a kernel may lack some. */
  ProcDirectory of(String kernel) throws IOException {
    for (ProcFormat format : ProcFormat.values()) {
      String name = kernel + "/" + format.file();
      try (InputStream in = ProcDirectory.class.getResourceAsStream(name)) {
        if (in != null) {
          write(format, new String(in.readAllBytes(), StandardCharsets.UTF_8));
        }
      }
    }
    return this;
  }

  /** Writes a file in its place, as the files of /proc change. */
  void write(ProcFormat format, String text) throws IOException {
    Path file = directory.resolve(format.file());
    Files.createDirectories(Objects.requireNonNull(file.getParent()));
    Files.writeString(
        file,
        text,
        StandardOpenOption.CREATE,
        StandardOpenOption.WRITE,
        StandardOpenOption.TRUNCATE_EXISTING);
  }

  String text(ProcFormat format) throws IOException {
    return Files.readString(directory.resolve(format.file()));
  }

  void replace(ProcFormat format, String old, String text) throws IOException {
    String before = text(format);
    if (!before.contains(old)) {
      throw new IllegalArgumentException("not in the file: " + old);
    }
    write(format, before.replace(old, text));
  }

  /** Returns the values that a sample has, by name. */
  Map<String, Double> values(ProcFormat format) {
    Map<String, Double> values = new LinkedHashMap<>();
    try (ProcFiles files = new ProcFiles(settings(1), List.of(format))) {
      files.sample();
      files.counters().filter(Counter::isPresent).forEach(it -> values.put(it.name(), it.value()));
    }
    return values;
  }
}
