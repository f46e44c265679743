package org.kblake.query.answer;

import java.nio.file.Path;
import java.util.List;
import org.kblake.core.model.Group;

/**
 * What an answer is read from.
 *
 * @param parts group after group, in log order
 */
public record ReadPlan(List<Part> parts) {

  public ReadPlan {
    parts = List.copyOf(parts);
  }

  /**
   * A stretch of a pair that is read from one source.
   *
   * @param group the group
   * @param stamp the pair, by the {@code yyyymmddhhmmss} of its file names
   * @param stored whether it is read from columns
   * @param path the directory of the block, or the log file
   * @param rawBytes of the log that the stretch takes
   * @param readBytes about how many bytes are read
   * @param events about how many events of the channels it has; those of a range may be fewer
   */
  public record Part(
      Group group,
      String stamp,
      boolean stored,
      Path path,
      long rawBytes,
      long readBytes,
      long events) {}

  /** Bytes of log that the answer stands for, wherever it is read. */
  public long rawBytes() {
    return parts.stream().mapToLong(Part::rawBytes).sum();
  }
}
