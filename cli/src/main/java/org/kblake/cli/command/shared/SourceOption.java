package org.kblake.cli.command.shared;

import org.kblake.cli.frame.Options;
import org.kblake.cli.frame.Value;
import org.kblake.query.question.Source;

/** The option {@code --source} of a command that reads events. */
public final class SourceOption {

  private final Value<Source> source;

  /** Adds the option to a command. */
  public SourceOption(Options options) {
    source =
        options.preset(
            Source.class,
            "auto",
            "SOURCE",
            "auto: columns, and raw logs where there are no columns; raw: raw logs only; store:"
                + " columns only. Default: auto.",
            "--source");
  }

  /** Returns the source that the user chose. */
  public Source get() {
    return source.get();
  }
}
