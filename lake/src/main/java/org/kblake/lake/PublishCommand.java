package org.kblake.lake;

import org.kblake.cli.error.RequestException;
import org.kblake.cli.frame.Command;
import org.kblake.cli.frame.CommandModel;
import org.kblake.cli.frame.Session;
import org.kblake.cli.frame.Value;

/** {@code kblake lake publish}: commits the blocks of the store to tables. */
public final class PublishCommand implements Command {

  private final Session session;
  private final CommandModel model =
      CommandModel.of("publish", "Commit blocks to tables.").footer("  kblake lake publish tables");

  private final Value<String> location =
      model.argument(String.class, "LOCATION", "The directory of the tables.");

  public PublishCommand(Session session) {
    this.session = session;
  }

  @Override
  public CommandModel model() {
    return model;
  }

  @Override
  public Integer call() {
    session.note("");
    throw new RequestException(location.get());
  }
}
