package org.kblake.cli.extension;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;
import org.kblake.cli.error.UsageException;
import org.kblake.cli.frame.Command;
import org.kblake.cli.frame.CommandModel;
import org.kblake.cli.frame.Session;

/**
 * A word of {@code kblake} with the commands of its extension below it. Without the extension's
 * jars it accepts any line, and tells which tarball is missing.
 */
public final class ExtensionCommand implements Command {

  private final ExtensionWord word;
  private final Session session;
  private final CommandModel model;
  private final List<Command> below = new ArrayList<>();

  /**
   * Makes the command without commands below it.
   *
   * @param word the word that stands for the commands
   */
  public ExtensionCommand(ExtensionWord word, Session session) {
    this.word = word;
    this.session = session;
    this.model =
        CommandModel.of(word.toString(), word.header())
            .description(
                "",
                word.description(),
                "",
                "It is in a tarball of its own, kblake-"
                    + word.extension()
                    + "-VERSION.tar.gz. Unpack it where that of kblake is unpacked, or in another"
                    + " directory, and name extensions/ of it in KBLAKE_EXTENSIONS.")
            .footer(word.examples());
  }

  /** Searches all jars of the class path for extensions with commands below the word. */
  public void search() {
    for (Extension each : ServiceLoader.load(Extension.class)) {
      below.addAll(each.commands(word, session));
    }
  }

  @Override
  public CommandModel model() {
    return model;
  }

  /** Returns the command that stands for the word itself, or null if there is none. */
  public @Nullable Command whole() {
    return below.size() == 1 && below.get(0).model().name().equals(word.toString())
        ? below.get(0)
        : null;
  }

  /** Returns whether the word is a command that another tarball has, and no commands follow it. */
  public boolean isOneCommand() {
    return word.isCommand();
  }

  /** Returns the commands that a search found; empty if the jars are not on the class path. */
  public List<Command> below() {
    return List.copyOf(below);
  }

  /** Is called without a command below the word, and with any line if there are none. */
  @Override
  public Integer call() throws IOException {
    if (!below.isEmpty()) {
      StringJoiner names = new StringJoiner(", ");
      below.forEach(each -> names.add(each.model().name()));
      throw new UsageException("a command is missing: " + names);
    }
    throw word.notInstalled();
  }
}
