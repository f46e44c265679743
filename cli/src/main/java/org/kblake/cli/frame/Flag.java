package org.kblake.cli.frame;

import picocli.CommandLine.Model.OptionSpec;

/** An option without a value. */
public final class Flag {

  private final OptionSpec option;

  Flag(OptionSpec option) {
    this.option = option;
  }

  /** Returns whether the command line has the option. */
  public boolean isSet() {
    Boolean set = option.getValue();
    return set != null && set;
  }
}
