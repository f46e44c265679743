package org.kblake.cli.command.look;

import java.io.IOException;
import java.io.Writer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.kblake.cli.command.shared.GroupChoice;
import org.kblake.cli.error.ExitStatus;
import org.kblake.cli.files.StoredFiles;
import org.kblake.cli.frame.Session;
import org.kblake.core.internal.store.Store;
import org.kblake.core.model.Group;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code kblake files}: which Parquet files make up the store. */
@Command(
    name = "files",
    header = "List the Parquet files that make up the store.",
    description = {
      "",
      "One absolute path a line, group after group in log order. Together these files hold every"
          + " event of the store once; other files below the store are out of force or unfinished.",
      "",
      "A backfill that runs meanwhile may replace files: list them again if one has gone. The files"
          + " of a block that is damaged are left out, it is named on standard error, and the"
          + " status is 3."
    },
    footer = {"  kblake files", "  kblake files -g VA/CCG", "  kblake files -0 | xargs -0 du -ch"})
public final class FilesCommand implements Callable<Integer> {

  private final Session session;

  @Option(
      names = {"-g", "--group"},
      paramLabel = "GROUP",
      description = "Only this group, SYSTEM/NAME; may be given more than once.")
  private List<Group> groups = new ArrayList<>();

  @Option(
      names = {"-0", "--null"},
      description = "End each path with a NUL instead of a line feed, as xargs -0 reads it.")
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
      for (Group group : GroupChoice.ofStore(groups, store.listedGroups(), problems::add)) {
        for (Path file : StoredFiles.of(store, group, problems::add).inLogOrder()) {
          none = false;
          out.append(file.toString()).append(nullAfterPath ? '\0' : '\n');
        }
      }
    }
    problems.forEach(session::complain);
    if (none && problems.isEmpty()) {
      session.note(GroupChoice.noFiles(groups, session.settings().store()));
    }
    return problems.isEmpty() ? ExitStatus.DONE : ExitStatus.INCOMPLETE;
  }
}
