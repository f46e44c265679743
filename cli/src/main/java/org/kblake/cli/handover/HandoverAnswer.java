package org.kblake.cli.handover;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import java.util.List;
import java.util.Objects;
import org.kblake.ingest.internal.backfill.BackfillSummary;

/**
 * The progress of a request: the content of a file {@code NAME.answer.json}.
 *
 * @param version of this account: 1
 * @param state what becomes of it
 * @param host where the process runs that answers
 * @param pid its number there
 * @param why it failed or was refused; empty otherwise
 * @param plannedBytes bytes of log that are to be put into columns
 * @param scannedBytes how many of these are read
 * @param scannedEvents events in these
 * @param blocks blocks made
 * @param summary what was done; all zeros unless it is done
 * @param problems what could not be read, the first of them
 */
@JsonIgnoreProperties(ignoreUnknown = true)
public record HandoverAnswer(
    int version,
    State state,
    String host,
    long pid,
    String why,
    long plannedBytes,
    long scannedBytes,
    long scannedEvents,
    int blocks,
    BackfillSummary summary,
    List<Problem> problems) {

  private static final BackfillSummary NOTHING = new BackfillSummary(0, 0, 0, 0, 0, 0, 0);

  /** What becomes of a request. */
  public enum State {
    waiting,
    working,
    done,
    failed,
    refused;

    /** Whether nothing more will come. */
    public boolean isEnd() {
      return this == done || this == failed || this == refused;
    }
  }

  /**
   * Something that could not be read or is damaged.
   *
   * @param group SYSTEM/NAME
   * @param message one line
   */
  @JsonIgnoreProperties(ignoreUnknown = true)
  public record Problem(String group, String message) {}

  public HandoverAnswer {
    state = Objects.requireNonNullElse(state, State.waiting);
    host = Objects.requireNonNullElse(host, "");
    why = Objects.requireNonNullElse(why, "");
    summary = Objects.requireNonNullElse(summary, NOTHING);
    problems = problems == null ? List.of() : List.copyOf(problems);
  }
}
