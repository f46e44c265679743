package org.kblake.query.answer;

import java.nio.file.Path;
import java.util.List;
import org.kblake.core.model.Group;

/**
 * The sources of an answer.
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
   * @param rawBytes of log in the stretch
   * @param readBytes estimate of the bytes that are read
   * @param events estimate of the events of the channels in it; a range may have fewer
   */
  public record Part(
      Group group,
      String stamp,
      boolean stored,
      Path path,
      long rawBytes,
      long readBytes,
      long events) {}

  /** Bytes of log of the answer, from any source. */
  public long rawBytes() {
    return parts.stream().mapToLong(Part::rawBytes).sum();
  }
}
