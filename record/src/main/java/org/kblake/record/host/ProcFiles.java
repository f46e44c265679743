package org.kblake.record.host;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.kblake.record.host.Rows.Counter;

/** Some files of /proc and their last sample. One thread at a time uses it. */
final class ProcFiles implements AutoCloseable {

  private final ProcText text = new ProcText();
  private final List<Sampled> files = new ArrayList<>();
  private long bytes;

  private record Sampled(ProcFormat format, ProcFile file, Rows rows) {}

  ProcFiles(HostSettings settings, List<ProcFormat> formats) {
    for (ProcFormat format : formats) {
      ProcFile file = new ProcFile(settings.directory().resolve(format.file()));
      files.add(new Sampled(format, file, new Rows(format, settings.prefix())));
    }
  }

  /**
   * Reads all files. What is in a file that cannot be read is absent. A file whose last line is cut
   * stays as it was.
   */
  void sample() {
    for (int i = 0; i < files.size(); i++) {
      Sampled each = files.get(i);
      try {
        each.file.read(text);
        bytes += text.length();
        if (text.isWhole()) {
          each.format.parse(text, each.rows);
        }
      } catch (IOException e) {
        each.rows.begin();
      }
    }
  }

  /** Returns the number of bytes read so far. */
  long bytes() {
    return bytes;
  }

  /** Returns the number of counters that were ever present. */
  int size() {
    int size = 0;
    for (int i = 0; i < files.size(); i++) {
      size += files.get(i).rows.counters().size();
    }
    return size;
  }

  /** Returns all counters that were ever present, in the order of the files. */
  Stream<Counter> counters() {
    return files.stream().flatMap(each -> each.rows.counters().stream());
  }

  @Override
  public void close() {
    for (Sampled each : files) {
      try {
        each.file.close();
      } catch (IOException e) {
        // It was only read.
      }
    }
  }
}
