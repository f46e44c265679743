package org.kblake.cli.command.shared;

import org.kblake.cli.frame.Flag;
import org.kblake.cli.frame.Options;

/** The option {@code --safe} of commands that write CSV. */
public final class SafeOption {

  private SafeOption() {}

  /** Adds the option to a command. */
  public static Flag of(Options options) {
    return options.flag(
        "In csv and tsv, write an apostrophe before texts and names that begin with = + - @, a tab"
            + " or a line end, so that no spreadsheet runs them as formulas. Numbers stay.",
        "--safe");
  }
}
