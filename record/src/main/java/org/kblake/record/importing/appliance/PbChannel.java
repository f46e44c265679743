package org.kblake.record.importing.appliance;

import java.util.List;
import org.kblake.core.model.ValueType;
import org.kblake.record.importing.SourceChannel;

/**
 * A channel of the appliance.
 *
 * @param files in the order of their first events; at least one
 */
public record PbChannel(String name, List<PbFile> files) {

  public PbChannel {
    files = List.copyOf(files);
  }

  /** Returns what the first pair is begun with. */
  public SourceChannel asSource() {
    ValueType type = files.get(0).header().type();
    int elements = 1;
    for (PbFile file : files) {
      if (file.header().type() == type) {
        elements = Math.max(elements, file.header().isWaveform() ? file.header().elements() : 1);
      }
    }
    return new SourceChannel(name, type, elements);
  }

  /** Returns the bytes of the files. */
  public long bytes() {
    return files.stream().mapToLong(PbFile::bytes).sum();
  }

  /** Returns the time of the first event, nanoseconds since 1970 UTC. */
  public long firstNanos() {
    return files.get(0).firstNanos();
  }

  /** Returns the time of the last event, or a later one if this is not known. */
  public long lastNanos() {
    return files.stream().mapToLong(PbFile::lastNanos).max().orElse(Long.MIN_VALUE);
  }

  /** Returns the number of files. */
  public int fileCount() {
    return files.size();
  }
}
