package org.kblake.cli.command.look;

import java.io.IOException;
import java.io.Writer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.kblake.cli.command.shared.GroupChoice;
import org.kblake.cli.command.shared.GroupOption;
import org.kblake.cli.error.ExitStatus;
import org.kblake.cli.files.StoredFiles;
import org.kblake.cli.frame.Session;
import org.kblake.core.internal.store.Store;
import org.kblake.core.model.Group;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code kblake files}: lists the Parquet files of the store. */
@Command(
    name = "files",
    header = "List the Parquet files of the store.",
    description = {
      "",
      "Prints one absolute path per line, by group and in log order. Together these files have"
          + " every event of the store once. Other files below the store are no longer in use, or"
          + " unfinished.",
      "",
      "A running backfill may replace files. List them again if one is missing. Files of damaged"
          + " blocks are skipped, standard error names the blocks, and the status is 3."
    },
    footer = {"  kblake files", "  kblake files -g VA/CCG", "  kblake files -0 | xargs -0 du -ch"})
public final class FilesCommand implements Callable<Integer> {

  private final Session session;

  @Mixin private final GroupOption groups = new GroupOption();

  @Option(
      names = {"-0", "--null"},
      description = "End each path with NUL instead of a line feed, for xargs -0.")
  private boolean nullAfterPath;

  public FilesCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() throws IOException {
    List<String> problems = new ArrayList<>();
    boolean none = true;
    try (Store store = Store.open(session.settings().store(), null);
        Writer out = session.text()) {
      for (Group group : GroupChoice.ofStore(groups.named(), store.listedGroups(), problems::add)) {
        for (Path file : StoredFiles.of(store, group, problems::add).inLogOrder()) {
          none = false;
          out.append(file.toString()).append(nullAfterPath ? '\0' : '\n');
        }
      }
    }
    problems.forEach(session::complain);
    if (none && problems.isEmpty()) {
      session.note(GroupChoice.noFiles(groups.named(), session.settings().store()));
    }
    return problems.isEmpty() ? ExitStatus.DONE : ExitStatus.INCOMPLETE;
  }
}
