package org.kblake.ship;

import java.util.List;
import org.kblake.cli.extension.Extension;
import org.kblake.cli.extension.ExtensionWord;
import org.kblake.cli.frame.Command;
import org.kblake.cli.frame.Session;
import org.kblake.format.OutputFormat;
import org.kblake.ship.command.ShipInfluxCommand;
import org.kblake.ship.command.ShipTextCommand;

/** The commands {@code kblake ship ...}. */
public final class ShipExtension implements Extension {

  @Override
  public List<Command> commands(ExtensionWord word, Session session) {
    return word == ExtensionWord.SHIP
        ? List.of(
            new ShipInfluxCommand(session),
            new ShipTextCommand(session, OutputFormat.NDJSON),
            new ShipTextCommand(session, OutputFormat.CSV))
        : List.of();
  }
}
