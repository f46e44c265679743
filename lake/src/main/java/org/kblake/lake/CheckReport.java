package org.kblake.lake;

import java.util.function.UnaryOperator;
import org.kblake.cli.command.shared.NamedValues;
import org.kblake.cli.progress.Progress;
import org.kblake.lake.check.CheckListener;

/** The progress and the result of a verification. Not thread safe. */
final class CheckReport implements CheckListener {

  private final UnaryOperator<String> incomplete;
  private final Progress progress;
  private int proven;
  private int unchanged;
  private int unpublished;
  private int wrong;
  private int problems;

  /**
   * @param incomplete makes the line of a part that is not compared
   * @param progress gets messages and progress; closed by the caller
   */
  CheckReport(UnaryOperator<String> incomplete, Progress progress) {
    this.incomplete = incomplete;
    this.progress = progress;
  }

  /** Returns a report that nobody reads. */
  static CheckReport none() {
    return new CheckReport(line -> line, Progress.silent(line -> {}));
  }

  @Override
  public void read(long bytes) {
    progress.advance(bytes, 0);
  }

  @Override
  public void proven() {
    proven++;
  }

  @Override
  public void unchanged() {
    unchanged++;
  }

  @Override
  public void unpublished(int files) {
    unpublished += files;
  }

  @Override
  public void wrong(String message) {
    wrong++;
    progress.printLine(message);
  }

  @Override
  public void problem(String message) {
    problems++;
    progress.printLine(incomplete.apply(message));
  }

  boolean isWrong() {
    return wrong > 0;
  }

  boolean isIncomplete() {
    return problems > 0;
  }

  NamedValues write(NamedValues values) {
    return values
        .add("as in the store", proven)
        .add("as published", unchanged)
        .add("wrong", wrong)
        .add("not compared", problems)
        .add("not published", unpublished)
        .add("verdict", verdict());
  }

  private String verdict() {
    if (wrong > 0) {
      return NamedValues.count(wrong, "data file") + " of the tables are wrong: standard error";
    }
    if (problems > 0) {
      return "not everything was compared: standard error tells what";
    }
    return "the tables have what was published"
        + (unpublished > 0 ? "; kblake lake publish adds what the store has now" : "");
  }
}
