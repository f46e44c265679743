package org.kblake.cli.command.look;

import java.io.IOException;
import java.io.Writer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.kblake.cli.command.shared.GroupChoice;
import org.kblake.cli.command.shared.GroupOption;
import org.kblake.cli.error.ExitStatus;
import org.kblake.cli.files.StoredFiles;
import org.kblake.cli.frame.Command;
import org.kblake.cli.frame.CommandModel;
import org.kblake.cli.frame.Flag;
import org.kblake.cli.frame.Session;
import org.kblake.core.internal.store.Store;
import org.kblake.core.model.Group;

/** {@code kblake files}: lists the Parquet files of the store. */
public final class FilesCommand implements Command {

  private final Session session;
  private final CommandModel model =
      CommandModel.of("files", "List the Parquet files of the store.")
          .description(
              "",
              "Prints one absolute path per line, by group and in log order. Together these files"
                  + " have every event of the store once. Other files below the store are no"
                  + " longer in use, or unfinished.",
              "",
              "A running backfill may replace files. List them again if one is missing. Files of"
                  + " damaged blocks are skipped, standard error names the blocks, and the status"
                  + " is 3.")
          .footer(
              "  kblake files", "  kblake files -g VA/CCG", "  kblake files -0 | xargs -0 du -ch");

  private final GroupOption groups = new GroupOption(model);

  private final Flag nullAfterPath =
      model.flag("End each path with NUL instead of a line feed, for xargs -0.", "-0", "--null");

  public FilesCommand(Session session) {
    this.session = session;
  }

  @Override
  public CommandModel model() {
    return model;
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
          out.append(file.toString()).append(nullAfterPath.isSet() ? '\0' : '\n');
        }
      }
    }
    problems.forEach(session::incomplete);
    if (none && problems.isEmpty()) {
      session.note(GroupChoice.noFiles(groups.named(), session.settings().store()));
    }
    return problems.isEmpty() ? ExitStatus.DONE : ExitStatus.INCOMPLETE;
  }
}
