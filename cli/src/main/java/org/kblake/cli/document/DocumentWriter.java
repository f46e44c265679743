package org.kblake.cli.document;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.kblake.cli.RootCommand;
import org.kblake.cli.extension.ExtensionCommand;
import org.kblake.cli.frame.Release;
import picocli.CommandLine;

/** Writes the manual pages and the completion script. The build runs it. */
public final class DocumentWriter {

  private DocumentWriter() {}

  /**
   * Writes {@code man/man1/*.1} and {@code completion/kblake.bash}, or {@code completion.bash} of
   * an extension.
   *
   * @param args the directory to write to, and the completion script without commands, or the name
   *     of the extension
   */
  public static void main(String[] args) throws IOException {
    Path directory = Path.of(args[0]);
    CommandLine kblake = RootCommand.model();
    Path manual = Files.createDirectories(directory.resolve("man/man1"));
    write(manual, kblake);
    Path frame = Path.of(args[1]);
    if (!frame.toString().endsWith(".bash")) {
      Files.writeString(
          directory.resolve("completion.bash"), CompletionScript.ofExtension(args[1], kblake));
      return;
    }
    Path completion = Files.createDirectories(directory.resolve("completion"));
    Files.writeString(
        completion.resolve("kblake.bash"), CompletionScript.of(Files.readString(frame), kblake));
  }

  private static void write(Path manual, CommandLine command) throws IOException {
    ManualPage page = new ManualPage(command, Release.version());
    Path file = manual.resolve(page.name() + ".1");
    if (command.getCommand() instanceof ExtensionCommand extension && extension.isOneCommand()) {
      Files.deleteIfExists(file); // It is in the tarball that has the command.
      return;
    }
    Files.writeString(file, page.roff());
    for (CommandLine below : command.getSubcommands().values()) {
      write(manual, below);
    }
  }
}
