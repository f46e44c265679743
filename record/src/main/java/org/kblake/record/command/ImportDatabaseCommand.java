package org.kblake.record.command;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.kblake.cli.error.ExitStatus;
import org.kblake.cli.error.UsageException;
import org.kblake.cli.frame.Command;
import org.kblake.cli.frame.CommandModel;
import org.kblake.cli.frame.OptionalValue;
import org.kblake.cli.frame.Session;
import org.kblake.cli.frame.Stoppable;
import org.kblake.cli.frame.Value;
import org.kblake.cli.frame.Values;
import org.kblake.cli.progress.ProgressUnit;
import org.kblake.core.model.TimeRange;
import org.kblake.record.importing.LeftOut;
import org.kblake.record.importing.jdbc.ArchiveQuery;
import org.kblake.record.importing.jdbc.ChannelValues;
import org.kblake.record.importing.jdbc.Database;
import org.kblake.record.importing.jdbc.DatabaseSource;

/** {@code kblake import jdbc}: writes an archive of a relational database as logs. */
public final class ImportDatabaseCommand implements Command {

  private static final long SECOND_NANOS = 1_000_000_000;
  private static final String PASSWORD = "KBLAKE_JDBC_PASSWORD";

  private final Session session;
  private final CommandModel model =
      CommandModel.of("jdbc", "Write an archive of a relational database as logs of a group.")
          .description(
              "",
              "Reads the tables of CS-Studio's archive engine in PostgreSQL, MySQL or MariaDB, or"
                  + " the rows of --query, in the order of time, and writes them into the archive"
                  + " as kblog does. The database is only read: twice, and it sorts the rows.",
              "",
              "The query names its columns channel, value, time (or secs since 1970 UTC and nanos),"
                  + " perhaps severity and status. A value NULL is a disconnection.",
              "",
              "The password is in "
                  + PASSWORD
                  + " or in --password-file. docs/import.md has the"
                  + " rules.")
          .footer(
              "  kblake import jdbc jdbc:postgresql://db/archive --user report --group RDB/All"
                  + " --driver postgresql.jar",
              "  kblake import jdbc jdbc:mysql://db/archive --user report --group RDB/CCG"
                  + " 'VALCCG:*'",
              "  kblake import jdbc jdbc:postgresql://db/lab --group LAB/T --query \"SELECT name AS"
                  + " channel, at AS time, reading AS value FROM readings\"")
          .statuses(
              "0:all rows are in the logs",
              "1:an error, see the message",
              "2:wrong arguments",
              "3:rows or channels were left out, which the messages name",
              "130:stopped by Ctrl-C");

  private final Value<String> url =
      model.argument(String.class, "URL", "The JDBC URL of the database, without a password.");

  private final OptionalValue<String> user =
      model.value(String.class, "NAME", "The user of the database.", "--user");

  private final OptionalValue<Path> passwordFile =
      model.value(
          Path.class, "FILE", "A file whose first line is the password.", "--password-file");

  private final Values<Path> drivers =
      model.values(Path.class, "JAR", "A jar with the JDBC driver.", "--driver");

  private final OptionalValue<String> query =
      model.value(String.class, "SQL", "A query instead of CS-Studio's tables.", "--query");

  private final ImportOptions options = new ImportOptions(model);

  public ImportDatabaseCommand(Session session) {
    this.session = session;
  }

  @Override
  public CommandModel model() {
    return model;
  }

  @Override
  public Integer call() throws IOException {
    if (url.get().toLowerCase(Locale.ROOT).contains("password=")) {
      throw new UsageException(
          "other users see the command line; put the password into "
              + PASSWORD
              + ", or into a file for --password-file");
    }
    ImportWork work = new ImportWork(session, options);
    return Stoppable.run(session, ImportWork.ADVICE, () -> run(work));
  }

  private int run(ImportWork work) throws IOException, InterruptedException {
    List<Path> jars = drivers.get().stream().map(session::path).toList();
    try (Database database = Database.open(url.get(), user.get(), password(), jars)) {
      if (options.isDryRun()) {
        work.print(
            "    EVENTS", survey(database, work, work.range()).chosen().stream().map(this::row));
        work.status();
        return ExitStatus.DONE;
      }
      return work.run(
          (rest, countedNanos) ->
              open(
                  database,
                  survey(database, work, widened(rest)),
                  new LeftOut(work.report(), countedNanos)));
    }
  }

  /** A row whose time was rounded may be behind later ones in the order of the database. */
  private static TimeRange widened(TimeRange range) {
    long from = Math.max(range.fromNanos(), SECOND_NANOS) - SECOND_NANOS;
    return new TimeRange(from, range.toNanos());
  }

  /** What the first pass over the rows found. */
  private record Survey(ArchiveQuery query, List<ChannelValues> chosen, List<Integer> order) {}

  /** Reads all rows of a range once for their types. */
  private Survey survey(Database database, ImportWork work, TimeRange range) throws IOException {
    ZoneId zone = session.settings().zone();
    List<String> names = null;
    ArchiveQuery rows;
    String sql = query.get();
    if (sql == null) {
      List<String> all = ArchiveQuery.channels(database);
      names = work.channels(all);
      List<String> some = names.size() < all.size() ? names : null;
      rows = ArchiveQuery.ofTables(database, some, range, zone);
    } else {
      rows = ArchiveQuery.of(sql);
    }
    session.note("reading all rows once for their types");
    List<Integer> order = new ArrayList<>();
    Map<String, ChannelValues> found = DatabaseSource.survey(database, rows, zone, range, order);
    if (names == null) {
      names = found.isEmpty() ? List.of() : work.channels(List.copyOf(found.keySet()));
    }
    List<ChannelValues> chosen = new ArrayList<>();
    for (String name : names) {
      ChannelValues values = found.get(name);
      if (values != null && values.rows() > 0) {
        chosen.add(values);
      }
    }
    return new Survey(rows, chosen, order);
  }

  private ImportWork.Opened open(Database database, Survey survey, LeftOut left)
      throws IOException {
    List<ChannelValues> chosen = survey.chosen();
    return new ImportWork.Opened(
        DatabaseSource.open(
            database, survey.query(), session.settings().zone(), chosen, survey.order(), left),
        chosen.stream().mapToLong(ChannelValues::rows).sum(),
        ProgressUnit.ROWS);
  }

  private @Nullable String password() throws IOException {
    Path file = passwordFile.get();
    if (file == null) {
      return session.environment().variables().get(PASSWORD);
    }
    String text = Files.readString(session.path(file), StandardCharsets.UTF_8);
    return text.lines().findFirst().orElse("");
  }

  private ImportWork.Row row(ChannelValues values) {
    return new ImportWork.Row(
        values.asSource(),
        values.firstNanos(),
        values.lastNanos(),
        "%10d".formatted(values.rows()));
  }
}
