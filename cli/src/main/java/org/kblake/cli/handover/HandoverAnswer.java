package org.kblake.cli.handover;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import java.util.List;
import java.util.Objects;
import org.kblake.ingest.internal.backfill.BackfillSummary;

/**
 * The progress of a request: the content of a file {@code NAME.answer.json}.
 *
 * @param version the version of the format: 1
 * @param state the state of the request
 * @param host the host of the process that answers
 * @param pid the process ID of this process
 * @param why the reason of a failure or refusal; empty otherwise
 * @param plannedBytes the bytes of log to put into columns
 * @param scannedBytes the bytes of them that were read
 * @param scannedEvents the events that were read
 * @param blocks the number of blocks made
 * @param summary the summary; all zeros until the request is done
 * @param problems the first problems
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

  /** The state of a request. */
  public enum State {
    waiting,
    working,
    done,
    failed,
    refused;

    /** Returns whether the state is final. */
    public boolean isEnd() {
      return this == done || this == failed || this == refused;
    }
  }

  /**
   * A part of a log that could not be read or is damaged.
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
