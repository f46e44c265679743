package org.kblake.cli.extension;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.kblake.cli.frame.Command;
import org.kblake.cli.frame.Session;

/**
 * Commands of a tarball of its own. Its jar names the class in {@code
 * META-INF/services/org.kblake.cli.extension.Extension}. The class has a public constructor without
 * parameters. It is made only if the command line has the word of an extension, or {@code demo
 * --live}.
 */
public interface Extension {

  /**
   * Returns the commands that this extension adds below a word, or the one command of the word's
   * own name.
   *
   * @return the commands in the order of the help; empty if they are those of another extension
   */
  List<Command> commands(ExtensionWord word, Session session);

  /** Returns the live form of {@code kblake demo}; null if another extension has it. */
  default @Nullable LiveDemo liveDemo() {
    return null;
  }
}
