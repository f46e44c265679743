package org.kblake.cli.command.service;

import org.kblake.cli.error.UsageException;
import org.kblake.cli.frame.Command;
import org.kblake.cli.frame.CommandModel;

/** {@code kblake config}: the parent of {@code kblake config check}. */
public final class ConfigCommand implements Command {

  private final CommandModel model =
      CommandModel.of("config", "Check and show the settings.")
          .description("", "kblake config check prints the settings, their origins, and mistakes.")
          .footer("  kblake config check");

  @Override
  public CommandModel model() {
    return model;
  }

  @Override
  public Integer call() {
    throw new UsageException("a subcommand is missing: kblake config check");
  }
}
