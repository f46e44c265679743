package org.kblake.cli.command.look;

import java.io.IOException;
import java.io.Writer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.kblake.cli.command.shared.GroupChoice;
import org.kblake.cli.command.shared.StoreProfile;
import org.kblake.cli.error.ExitStatus;
import org.kblake.cli.files.DuckDbViews;
import org.kblake.cli.files.StoredFiles;
import org.kblake.cli.frame.Session;
import org.kblake.core.internal.store.Store;
import org.kblake.core.internal.store.StoreGroups;
import org.kblake.core.model.Group;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code kblake sql}: the store as views of DuckDB. */
@Command(
    name = "sql",
    header = "Print DuckDB views over the store.",
    description = {
      "",
      "SQL that makes a view per group and value type, such as VA_CCG_double or"
          + " BM_BLM_short_waveform, with every row and column of the files that kblake files"
          + " lists, and per group a view of what is asked for most, such as VA_CCG: channel, time,"
          + " time_ns, value as double, severity and status of the value events of all channels that"
          + " hold one number, without strays. Strays are events of a clock gone wrong; the column"
          + " stray tells them in the other views.",
      "",
      "A character that an identifier cannot have becomes an underscore.",
      "",
      "time is a TIMESTAMPTZ, rounded down to microseconds; time_ns is exact, nanoseconds since 1970"
          + " UTC. Write times with their offset:",
      "",
      "  duckdb -init views.sql -c \"SELECT * FROM VA_CCG",
      "    WHERE time >= '2016-05-16 00:30:00+09' LIMIT 5\"",
      "",
      "The table macro kblake_events(view, channel, start, end) gives the events of a channel from"
          + " start, included, to end. It does not read row groups outside of the range:",
      "",
      "  duckdb -init views.sql -c \"SELECT * FROM kblake_events('VA_CCG',",
      "    'VA_CCG:D06_004:TEMP', '2016-05-16 00:30:00+09',",
      "    '2016-05-16 00:40:00+09')\"",
      "",
      "The views name the files that are in force now: print them again after a backfill. A block"
          + " that is damaged is left out, it is named on standard error, and the status is 3."
    },
    footer = {"  kblake sql > views.sql", "  kblake sql -g VA/CCG -g RF/AnalogData"})
public final class SqlCommand implements Callable<Integer> {

  private final Session session;

  @Option(
      names = {"-g", "--group"},
      paramLabel = "GROUP",
      description = "Only this group, SYSTEM/NAME; may be given more than once.")
  private List<Group> groups = new ArrayList<>();

  public SqlCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() throws IOException {
    List<String> problems = new ArrayList<>();
    boolean none = true;
    try (Store store = Store.open(session.settings().store(), null);
        Writer out = session.text()) {
      StoreGroups listed = store.listedGroups();
      List<Group> wanted = GroupChoice.ofStore(groups, listed, problems::add);
      DuckDbViews views =
          new DuckDbViews(listed.groups(), StoreProfile.of(store.identity()).lake());
      views.writeHead(store.directory().toAbsolutePath().normalize(), out);
      for (Group group : wanted) {
        StoredFiles files = StoredFiles.of(store, group, problems::add);
        none &= files.inLogOrder().isEmpty();
        views.write(files, out);
      }
    }
    problems.forEach(session::complain);
    if (none && problems.isEmpty()) {
      session.note(GroupChoice.noFiles(groups, session.settings().store()));
    }
    return problems.isEmpty() ? ExitStatus.DONE : ExitStatus.INCOMPLETE;
  }
}
