package org.kblake.hbase;

import java.util.List;
import org.kblake.cli.extension.Extension;
import org.kblake.cli.extension.ExtensionWord;
import org.kblake.cli.frame.Command;
import org.kblake.cli.frame.Session;
import org.kblake.hbase.command.ExportHBaseCommand;
import org.kblake.hbase.command.ImportHBaseCommand;

/** The commands {@code kblake export hbase} and {@code kblake import hbase}. */
public final class HBaseExtension implements Extension {

  @Override
  public List<Command> commands(ExtensionWord word, Session session) {
    return switch (word) {
      case EXPORT -> List.of(new ExportHBaseCommand(session));
      case IMPORT -> List.of(new ImportHBaseCommand(session));
      case LAKE, RECORD, SHIP -> List.of();
    };
  }
}
