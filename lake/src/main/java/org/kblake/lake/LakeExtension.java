package org.kblake.lake;

import java.util.List;
import org.kblake.cli.extension.Extension;
import org.kblake.cli.extension.ExtensionWord;
import org.kblake.cli.frame.Command;
import org.kblake.cli.frame.Session;

/** The commands {@code kblake lake ...}. */
public final class LakeExtension implements Extension {

  @Override
  public List<Command> commands(ExtensionWord word, Session session) {
    return word == ExtensionWord.LAKE
        ? List.of(
            new PublishCommand(session),
            new LakeFollowCommand(session),
            new LakeVerifyCommand(session),
            new LakeDropCommand(session),
            new LakeSqlCommand(session))
        : List.of();
  }
}
