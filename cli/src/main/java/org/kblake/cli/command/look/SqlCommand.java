package org.kblake.cli.command.look;

import java.io.IOException;
import java.io.Writer;
import java.util.ArrayList;
import java.util.List;
import org.kblake.cli.command.shared.GroupChoice;
import org.kblake.cli.command.shared.GroupOption;
import org.kblake.cli.command.shared.StoreProfile;
import org.kblake.cli.error.ExitStatus;
import org.kblake.cli.files.DuckDbViews;
import org.kblake.cli.files.StoredFiles;
import org.kblake.cli.frame.Command;
import org.kblake.cli.frame.CommandModel;
import org.kblake.cli.frame.Session;
import org.kblake.core.internal.store.Store;
import org.kblake.core.internal.store.StoreGroups;
import org.kblake.core.model.Group;

/** {@code kblake sql}: prints views of DuckDB over the store. */
public final class SqlCommand implements Command {

  private final Session session;
  private final CommandModel model =
      CommandModel.of("sql", "Print DuckDB views over the store.")
          .description(
              "",
              "Prints SQL for two kinds of views. A view per group and value type, such as"
                  + " VA_CCG_double or BM_BLM_short_waveform, has every row and column of the"
                  + " files that kblake files lists. A view per group, such as VA_CCG, has"
                  + " channel, time, time_ns, value as double, severity and status. Its rows are"
                  + " the value events of all channels with single numbers, without strays. A"
                  + " stray is an event whose time lies outside of its segment's span, because a"
                  + " clock was wrong. The column stray marks strays in the views per type.",
              "",
              "Characters that are invalid in identifiers become underscores.",
              "",
              "time is a TIMESTAMPTZ, rounded down to microseconds; time_ns is exact, nanoseconds"
                  + " since 1970 UTC. Write times with their offset:",
              "",
              "  duckdb -init views.sql -c \"SELECT * FROM VA_CCG",
              "    WHERE time >= '2016-05-16 00:30:00+09' LIMIT 5\"",
              "",
              "The table macro kblake_events(view, channel, start, end) returns the events of a"
                  + " channel with start <= time < end. It does not read row groups outside of the"
                  + " range:",
              "",
              "  duckdb -init views.sql -c \"SELECT * FROM kblake_events('VA_CCG',",
              "    'VA_CCG:D06_004:TEMP', '2016-05-16 00:30:00+09',",
              "    '2016-05-16 00:40:00+09')\"",
              "",
              "The views name the present files. Print them again after a backfill. Damaged blocks"
                  + " are skipped, standard error names them, and the status is 3.")
          .footer("  kblake sql > views.sql", "  kblake sql -g VA/CCG -g RF/AnalogData");

  private final GroupOption groups = new GroupOption(model);

  public SqlCommand(Session session) {
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
      StoreGroups listed = store.listedGroups();
      List<Group> wanted = GroupChoice.ofStore(groups.named(), listed, problems::add);
      DuckDbViews views =
          new DuckDbViews(listed.groups(), StoreProfile.of(store.identity()).lake());
      views.writeHead(store.directory().toAbsolutePath().normalize(), out);
      for (Group group : wanted) {
        StoredFiles files = StoredFiles.of(store, group, problems::add);
        none &= files.inLogOrder().isEmpty();
        views.write(files, out);
      }
    }
    problems.forEach(session::report);
    if (none && problems.isEmpty()) {
      session.note(GroupChoice.noFiles(groups.named(), session.settings().store()));
    }
    return problems.isEmpty() ? ExitStatus.DONE : ExitStatus.INCOMPLETE;
  }
}
