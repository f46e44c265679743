package org.kblake.hbase.command;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Objects;
import org.apache.hadoop.conf.Configuration;
import org.jspecify.annotations.Nullable;
import org.kblake.cli.error.ExitStatus;
import org.kblake.cli.error.RequestException;
import org.kblake.cli.error.UsageException;
import org.kblake.cli.frame.Command;
import org.kblake.cli.frame.CommandModel;
import org.kblake.cli.frame.OptionalValue;
import org.kblake.cli.frame.Session;
import org.kblake.cli.frame.Stoppable;
import org.kblake.cli.frame.Value;
import org.kblake.cli.progress.Progress;
import org.kblake.cli.progress.ProgressUnit;
import org.kblake.cli.settings.CommonSetting;
import org.kblake.format.argument.ByteSize;
import org.kblake.hbase.cell.HFileRows;
import org.kblake.hbase.cluster.Cluster;
import org.kblake.hbase.cluster.ClusterErrors;
import org.kblake.hbase.cluster.ClusterSettings;
import org.kblake.hbase.cluster.ClusterTable;
import org.kblake.hbase.restore.Import;
import org.kblake.hbase.stop.StopRequest;

/** {@code kblake import hbase}: writes the events of a table as an archive. */
public final class ImportHBaseCommand implements Command {

  private static final String ADVICE = "nothing is written: the same command begins again";
  private static final int EVENTS_AT_ONCE = 1 << 14;

  private final Session session;
  private final CommandModel model =
      CommandModel.of("hbase", "Write the events of a table of HBase as logs.")
          .description(
              "",
              "Writes all events of a table that kblake export hbase filled as a new archive."
                  + " kblake get returns the same events of it, bit for bit and in the same order."
                  + " docs/hbase.md lists what does not come back.",
              "",
              "The archive is written to DIR.import, which also takes the space of the sort, and gets"
                  + " its name when it is complete.")
          .footer(
              "  kblake import hbase events restored --files hfiles",
              "  kblake import hbase events restored --hbase-config /etc/hbase/conf");

  private final Value<String> table =
      model.argument(String.class, "TABLE", "The table, TABLE or NAMESPACE:TABLE.");

  private final Value<Path> target =
      model.argument(
          Path.class, "DIR", "The archive to write. It must be empty, or not exist yet.");

  private final ClusterOptions cluster = new ClusterOptions(model);

  private final OptionalValue<Path> files =
      model.value(
          Path.class,
          "DIR",
          "Read the files that kblake export hbase --files wrote, and no table.",
          "--files");

  private final Value<ByteSize> memory =
      model.preset(
          ByteSize.class,
          "128M",
          "SIZE",
          "Memory for sorting events. Default: ${DEFAULT-VALUE}.",
          "--memory");

  private long readEvents;

  public ImportHBaseCommand(Session session) {
    this.session = session;
  }

  @Override
  public CommandModel model() {
    return model;
  }

  @Override
  public Integer call() throws IOException {
    Path archive = session.path(target.get()).toAbsolutePath().normalize();
    if (!Import.isFree(archive)) {
      throw new RequestException("not empty: " + archive + "; name another directory");
    }
    if (files.isGiven() && cluster.isGiven()) {
      throw new UsageException("--files needs no cluster: leave out --hbase-config, --zookeeper");
    }
    ClusterSettings settings = files.isGiven() ? null : cluster.settings(session);
    LibraryWarnings quiet = LibraryWarnings.leaveOut();
    StopRequest.Watch watch = StopRequest.watch();
    try {
      return Stoppable.run(session, ADVICE, () -> run(archive, settings));
    } finally {
      watch.end();
      quiet.close();
    }
  }

  private int run(Path archive, @Nullable ClusterSettings settings)
      throws IOException, InterruptedException {
    Path from = files.get();
    if (settings == null && from != null) {
      Configuration configuration = ClusterSettings.local();
      org.apache.hadoop.fs.Path directory =
          new org.apache.hadoop.fs.Path(session.path(from).toAbsolutePath().toUri());
      return write(
          archive,
          configuration,
          count(directory, configuration),
          rows -> {
            for (org.apache.hadoop.fs.Path each : HFileRows.files(directory, configuration)) {
              HFileRows.read(each, configuration, rows::take);
            }
          });
    }
    try (Cluster opened = Cluster.open(Objects.requireNonNull(settings))) {
      ClusterTable events = opened.table(table.get());
      long expected =
          ClusterErrors.explained(
              "reading " + events.name(),
              () -> {
                events.check();
                return events.markedEvents();
              });
      return write(archive, opened.configuration(), expected, rows -> events.scan(rows::take));
    }
  }

  private static long count(org.apache.hadoop.fs.Path directory, Configuration configuration)
      throws IOException {
    try {
      return HFileRows.count(directory, configuration);
    } catch (FileNotFoundException e) {
      throw new RequestException(
          "no files of kblake export hbase --files: " + directory.toUri().getPath());
    }
  }

  private int write(Path archive, Configuration configuration, long expected, Import.Source source)
      throws IOException, InterruptedException {
    long bound = session.settings().get(CommonSetting.DISORDER_BOUND).toNanos();
    Import restored = new Import(archive, configuration, bound, memory.get().bytes());
    // Each event is read once and written once.
    try (Progress progress = session.progress("import", 2 * expected, ProgressUnit.ROWS)) {
      Import.Summary summary =
          ClusterErrors.explained(
              "import of " + table.get(), () -> restored.run(source, listener(progress)));
      session.note(
          String.format(
              Locale.ROOT,
              "%s: %,d events in %d pairs of %d groups",
              archive,
              summary.events(),
              summary.pairs(),
              summary.groups()));
      return ExitStatus.DONE;
    } catch (IOException e) {
      throw ClusterFailure.explained(e, restored.work(), ADVICE);
    }
  }

  private Import.Listener listener(Progress progress) {
    return new Import.Listener() {
      @Override
      public void read() {
        if (++readEvents % EVENTS_AT_ONCE == 0) {
          progress.advance(EVENTS_AT_ONCE, 0);
        }
      }

      @Override
      public void written(long events) {
        progress.advance(events, 0);
      }
    };
  }
}
