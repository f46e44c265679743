package org.kblake.hbase.export;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.kblake.core.model.Group;
import org.kblake.hbase.cell.CellDigest;
import org.kblake.hbase.destination.BatchTarget;
import org.kblake.hbase.destination.ExportBatch;
import org.kblake.query.ArchiveReader;
import org.kblake.query.answer.CoverageReport;

/** Writes the events of a question to a target, batch after batch. */
public final class Export {

  private final ArchiveReader archive;
  private final ExportQuestion question;
  private final Duration length;
  private final long memoryBytes;
  private final boolean whole;

  /**
   * @param length the length of a batch
   * @param memoryBytes the memory for the cells of a batch; longer batches are divided
   * @param whole false if columns that may have more events than the logs cannot be read
   */
  public Export(
      ArchiveReader archive,
      ExportQuestion question,
      Duration length,
      long memoryBytes,
      boolean whole) {
    this.archive = archive;
    this.question = question;
    this.length = length;
    this.memoryBytes = memoryBytes;
    this.whole = whole;
  }

  /** Learns of the progress. */
  public interface Listener {

    /** Some log was read. Both numbers are negative if it will be read again. */
    void read(long bytes, long events);

    /**
     * A batch is complete, or several without events are.
     *
     * @param cells its events
     * @param written whether it was written now, and not before
     */
    void done(long cells, boolean written);
  }

  /**
   * Writes all batches.
   *
   * @param again whether batches are written that the target has
   * @return the coverage of the events that were read
   */
  public List<CoverageReport> run(BatchTarget target, boolean again, Listener listener)
      throws IOException, InterruptedException {
    List<CoverageReport> coverage = new ArrayList<>();
    for (Group group : question.names().keySet()) {
      new BatchReader(archive, question, memoryBytes)
          .read(
              question.batches(group, length),
              read -> {
                CellDigest digest = read.cells().digest();
                boolean written = false;
                // Files of events that cannot be read now are kept.
                boolean known = digest.cells() > 0 || whole && read.coverage().isComplete();
                for (ExportBatch batch : known ? read.batches() : List.<ExportBatch>of()) {
                  if (again && digest.cells() > 0 || !target.has(batch, digest)) {
                    target.write(batch, read.cells(), digest);
                    written = true;
                  }
                }
                if (!read.coverage().isComplete()) {
                  coverage.add(read.coverage());
                }
                listener.done(digest.cells(), written);
              },
              listener::read);
    }
    return coverage;
  }
}
