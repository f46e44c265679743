package org.kblake.cli.command.look;

import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.kblake.cli.command.shared.GroupChoice;
import org.kblake.cli.command.shared.GroupOption;
import org.kblake.cli.command.shared.StoreProfile;
import org.kblake.cli.command.shared.TemporaryDirectory;
import org.kblake.cli.error.ExitStatus;
import org.kblake.cli.error.UsageException;
import org.kblake.cli.files.DuckDbViews;
import org.kblake.cli.files.StoredFiles;
import org.kblake.cli.frame.Command;
import org.kblake.cli.frame.CommandModel;
import org.kblake.cli.frame.OptionalValue;
import org.kblake.cli.frame.Session;
import org.kblake.cli.frame.Stoppable;
import org.kblake.cli.frame.Values;
import org.kblake.core.internal.store.Store;
import org.kblake.core.model.Group;
import org.kblake.core.model.StoreGroups;

/** {@code kblake sql}: prints views of DuckDB over the store, or runs DuckDB with them. */
public final class SqlCommand implements Command {

  private final Session session;
  private final CommandModel model =
      CommandModel.of("sql", "Print DuckDB views over the store, or query them.")
          .description(
              "",
              "With -c, runs a statement by DuckDB with views of the present files, and returns its"
                  + " status. DuckDB is not a part of kblake: its program duckdb is searched beside"
                  + " lib/ of the installation, then on the PATH. Its options follow after --, as"
                  + " in: kblake sql -c 'FROM VA_CCG LIMIT 3' -- -json",
              "",
              "Without -c, prints SQL for two kinds of views. A view per group and value type, such"
                  + " as VA_CCG_double or BM_BLM_short_waveform, has every row and column of the"
                  + " files that kblake files lists. A view per group, such as VA_CCG, has channel,"
                  + " time, time_ns, value as double, severity and status. Its rows are the value"
                  + " events of all channels with single numbers, without strays. A stray is an"
                  + " event whose time lies outside of its segment's span, because a clock was"
                  + " wrong. The column stray marks strays in the views per type.",
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
              "Printed views name the present files. They lack later files, and they fail when"
                  + " files are merged or evicted. Print them again then. Their head has their"
                  + " periods, and the log that is not in columns. Views have no events of that"
                  + " log. Damaged blocks are skipped, standard error names them, and the status is"
                  + " 3.")
          .footer("  kblake sql > views.sql", "  kblake sql -g VA/CCG -g RF/AnalogData");

  private final OptionalValue<String> statement =
      model.value(String.class, "SQL", "Run this statement by DuckDB.", "-c", "--command");

  private final OptionalValue<Path> duckDb =
      model.value(Path.class, "FILE", "The program duckdb for -c.", "--duckdb");

  private final Values<String> options =
      model.arguments(String.class, "OPTION", "Options of duckdb for -c, after --.");

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
    String wanted = statement.get();
    if (wanted != null) {
      DuckDbProgram program = DuckDbProgram.find(session, duckDb.get());
      return Stoppable.runQuietly(() -> query(program, wanted));
    }
    if (duckDb.isGiven() || !options.get().isEmpty()) {
      throw new UsageException("--duckdb and options of duckdb need -c SQL");
    }
    try (Writer out = session.text()) {
      return write(true, out);
    }
  }

  private int query(DuckDbProgram program, String wanted) throws IOException, InterruptedException {
    try (TemporaryDirectory directory = TemporaryDirectory.create("kblake-sql-")) {
      Path views = directory.path().resolve("views.sql");
      int written;
      try (Writer out = Files.newBufferedWriter(views)) {
        written = write(false, out);
      }
      int status = program.run(views, options.get(), wanted, session.path(Path.of("")));
      return status == ExitStatus.DONE ? written : status;
    }
  }

  /**
   * Writes the views.
   *
   * @param described whether comments describe what they cover
   */
  private int write(boolean described, Writer out) throws IOException {
    List<String> problems = new ArrayList<>();
    boolean none = true;
    try (Store store = Store.open(session.settings().store(), null)) {
      StoreGroups listed = store.listedGroups();
      List<Group> wanted = GroupChoice.ofStore(groups.named(), listed, problems::add);
      DuckDbViews views =
          new DuckDbViews(listed.groups(), StoreProfile.of(store.identity()).lake());
      if (described) {
        List<String> words = new ArrayList<>(List.of("kblake", "sql"));
        groups.named().forEach(group -> words.addAll(List.of("-g", group.toString())));
        views.writeDescription(
            new ViewDescription(session, store).lines(wanted, String.join(" ", words)), out);
      }
      views.writeHead(out);
      for (Group group : wanted) {
        StoredFiles files = StoredFiles.of(store, group, problems::add);
        none &= files.inLogOrder().isEmpty();
        views.write(files, out);
      }
    }
    problems.forEach(session::incomplete);
    if (none && problems.isEmpty()) {
      session.note(GroupChoice.noFiles(groups.named(), session.settings().store()));
    }
    return problems.isEmpty() ? ExitStatus.DONE : ExitStatus.INCOMPLETE;
  }
}
