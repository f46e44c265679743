package org.kblake.cli.command.service;

import java.io.IOException;
import org.kblake.cli.frame.Command;
import org.kblake.cli.frame.CommandModel;
import org.kblake.cli.frame.Session;

/** {@code kblake config}: checks and shows the settings in use, as its subcommand does. */
public final class ConfigCommand implements Command {

  private final Session session;
  private final CommandModel model =
      CommandModel.of("config", "Check and show the settings.")
          .description(
              "",
              "Prints the settings in use, their origins, and mistakes, as kblake config check"
                  + " does.")
          .footer("  kblake config", "  kblake config check");

  public ConfigCommand(Session session) {
    this.session = session;
  }

  @Override
  public CommandModel model() {
    return model;
  }

  @Override
  public Integer call() throws IOException {
    return new ConfigCheckCommand(session).call();
  }
}
