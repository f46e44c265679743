package org.kblake.query;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.kblake.query.answer.CoverageReport;
import org.kblake.query.answer.HeldValue;
import org.kblake.query.answer.Intervals;
import org.kblake.query.internal.remote.AnswerNames;
import org.kblake.query.internal.remote.CoverageLines;
import org.kblake.query.internal.remote.IntervalLines;
import org.kblake.query.internal.source.AnswerPosition;

/**
 * Metadata of Arrow messages that carry an answer to another process. {@link RemoteReader} makes
 * the same answer from them. The question must have the column {@code group}, and allow an
 * incomplete answer.
 */
public final class AnswerTransfer {

  private final EventReader reader;
  private final SentRows rows;

  /**
   * @param reader of which nothing was read yet; it stays open
   */
  public AnswerTransfer(EventReader reader) {
    this.reader = reader;
    rows = reader.countRows();
  }

  /** Writes intervals as text. */
  public static void writeText(Intervals intervals, Appendable out) throws IOException {
    IntervalLines.write(intervals, out);
  }

  /** Returns the metadata of the schema. */
  public Map<String, String> schema() {
    List<HeldValue> held = reader.held();
    return new AnswerNames(
            reader.channels(), reader.groups(), reader.shapes(), AnswerNames.connections(held))
        .metadata();
  }

  /** Returns the metadata of the reader's present batch. */
  public Map<String, String> batch() throws IOException {
    Map<String, String> metadata = new LinkedHashMap<>();
    AnswerPosition position = rows.position();
    if (position != null) {
      metadata.put(AnswerNames.POSITION, position.text());
    }
    String changes = rows.changes();
    if (!changes.isEmpty()) {
      metadata.put(AnswerNames.TYPES, changes);
    }
    if (reader.mayMiss()) {
      metadata.put(AnswerNames.COVERAGE, CoverageLines.text(reader.coverage()));
    }
    return metadata;
  }

  /** Returns the metadata after the last batch. */
  public static Map<String, String> end(CoverageReport coverage) {
    return Map.of(AnswerNames.COVERAGE, CoverageLines.text(coverage));
  }
}
