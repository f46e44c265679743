package org.kblake.cli.handover;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import java.util.List;
import java.util.Objects;
import org.kblake.core.model.Group;
import org.kblake.ingest.internal.backfill.BackfillSummary;

/**
 * The progress of a request: a line of the process that carries it out.
 *
 * @param state the state of the request
 * @param host the host of the process that answers
 * @param pid the process ID of this process
 * @param why the reason of a failure or refusal; empty otherwise
 * @param plannedBytes the bytes of log to put into columns
 * @param scannedBytes the bytes of them that were read
 * @param scannedEvents the events that were read
 * @param summary the summary; all zeros until the request is done
 * @param problems the problems since the line before
 */
@JsonIgnoreProperties(ignoreUnknown = true)
public record HandoverAnswer(
    State state,
    String host,
    long pid,
    String why,
    long plannedBytes,
    long scannedBytes,
    long scannedEvents,
    BackfillSummary summary,
    List<Problem> problems) {

  public static final BackfillSummary NOTHING = new BackfillSummary(0, 0, 0, 0, 0, 0, 0);

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
   * A span of a log that could not be read or is damaged.
   *
   * @param group SYSTEM/NAME
   * @param message one line
   */
  @JsonIgnoreProperties(ignoreUnknown = true)
  public record Problem(String group, String message) {

    /**
     * @throws IllegalArgumentException if it names no group
     */
    public Problem {
      group = Group.parse(Objects.requireNonNullElse(group, "")).toString();
      message = Objects.requireNonNullElse(message, "");
    }
  }

  public HandoverAnswer {
    state = Objects.requireNonNullElse(state, State.waiting);
    host = Objects.requireNonNullElse(host, "");
    why = Objects.requireNonNullElse(why, "");
    summary = Objects.requireNonNullElse(summary, NOTHING);
    problems = problems == null ? List.of() : List.copyOf(problems);
  }
}
