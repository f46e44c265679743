package org.kblake.record;

import java.util.List;
import org.kblake.cli.extension.Extension;
import org.kblake.cli.extension.ExtensionWord;
import org.kblake.cli.extension.LiveDemo;
import org.kblake.cli.frame.Command;
import org.kblake.cli.frame.Session;
import org.kblake.record.command.ImportApplianceCommand;
import org.kblake.record.command.ImportDatabaseCommand;
import org.kblake.record.command.RecordCommand;
import org.kblake.record.demo.LiveChain;

/** The commands {@code kblake record}, {@code kblake import aa} and {@code import jdbc}. */
public final class RecordExtension implements Extension {

  @Override
  public List<Command> commands(ExtensionWord word, Session session) {
    return switch (word) {
      case RECORD -> List.of(new RecordCommand(session));
      case IMPORT ->
          List.of(new ImportApplianceCommand(session), new ImportDatabaseCommand(session));
      case LAKE, EXPORT, SHIP -> List.of();
    };
  }

  @Override
  public LiveDemo liveDemo() {
    return new LiveChain();
  }
}
