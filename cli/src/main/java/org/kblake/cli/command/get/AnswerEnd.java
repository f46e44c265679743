package org.kblake.cli.command.get;

import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.kblake.cli.command.answer.LossLines;
import org.kblake.cli.command.answer.MaskQuestion;
import org.kblake.cli.command.answer.MissingLines;
import org.kblake.cli.error.ExitStatus;
import org.kblake.cli.frame.Session;
import org.kblake.core.model.TimeMask;
import org.kblake.query.answer.CoverageReport;
import org.kblake.query.answer.Losses;

/** Reports what an answer lacks, behind the answer. */
final class AnswerEnd {

  private final Session session;
  private final GetOptions options;
  private final EventSource source;
  private final MaskQuestion.@Nullable Answer when;

  /**
   * @param source has answered, and knows losses
   * @param when the answer to {@code --when}; null without it
   */
  AnswerEnd(
      Session session, GetOptions options, EventSource source, MaskQuestion.@Nullable Answer when) {
    this.session = session;
    this.options = options;
    this.source = source;
    this.when = when;
  }

  /** Returns the times that are wanted; null for all. */
  @Nullable TimeMask times() {
    return when == null ? null : when.met();
  }

  /** Reports an answer whose bytes were not counted, and returns the exit status. */
  int report(CoverageReport coverage) throws IOException {
    return report(new Answered(coverage, null));
  }

  /** Reports an answer, and returns the exit status. */
  int report(Answered answered) throws IOException {
    CoverageReport coverage = answered.coverage();
    if (!coverage.losses().hasLedger()) {
      coverage = source.withLosses(coverage);
    }
    Path file = options.coverage.get();
    if (file != null) {
      CoverageOutput.of(session, file, options.format.get())
          .write(new Answered(coverage, answered.spent()));
    }
    coverage.notes().forEach(session::note);
    Losses losses = coverage.losses();
    LossLines.writeSummary(session, when == null ? losses : losses.and(when.losses()));
    if (!coverage.isComplete()) {
      new MissingLines(session).write(coverage);
    }
    if (when != null) {
      when.report(session);
    }
    return coverage.isComplete() && (when == null || when.isComplete())
        ? ExitStatus.DONE
        : ExitStatus.INCOMPLETE;
  }
}
