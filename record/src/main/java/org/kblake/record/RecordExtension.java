package org.kblake.record;

import java.util.List;
import org.kblake.cli.extension.Extension;
import org.kblake.cli.extension.ExtensionWord;
import org.kblake.cli.frame.Command;
import org.kblake.cli.frame.Session;
import org.kblake.record.command.RecordCommand;

/** The command {@code kblake record}. */
public final class RecordExtension implements Extension {

  @Override
  public List<Command> commands(ExtensionWord word, Session session) {
    return word == ExtensionWord.RECORD ? List.of(new RecordCommand(session)) : List.of();
  }
}
