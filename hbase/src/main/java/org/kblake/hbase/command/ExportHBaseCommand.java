package org.kblake.hbase.command;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.apache.hadoop.conf.Configuration;
import org.jspecify.annotations.Nullable;
import org.kblake.cli.command.answer.MissingLines;
import org.kblake.cli.command.shared.ChannelPatterns;
import org.kblake.cli.command.shared.GroupOption;
import org.kblake.cli.command.shared.RangeOptions;
import org.kblake.cli.command.shared.SourceOption;
import org.kblake.cli.error.ExitStatus;
import org.kblake.cli.error.UsageException;
import org.kblake.cli.frame.Command;
import org.kblake.cli.frame.CommandModel;
import org.kblake.cli.frame.Flag;
import org.kblake.cli.frame.OptionalValue;
import org.kblake.cli.frame.Session;
import org.kblake.cli.frame.Stoppable;
import org.kblake.cli.frame.Value;
import org.kblake.cli.frame.Values;
import org.kblake.cli.progress.Progress;
import org.kblake.core.model.Group;
import org.kblake.core.model.TimeRange;
import org.kblake.format.argument.ByteSize;
import org.kblake.hbase.cell.CellCompression;
import org.kblake.hbase.cluster.Cluster;
import org.kblake.hbase.cluster.ClusterErrors;
import org.kblake.hbase.cluster.ClusterSettings;
import org.kblake.hbase.cluster.ClusterTable;
import org.kblake.hbase.destination.BatchTarget;
import org.kblake.hbase.destination.DirectoryTarget;
import org.kblake.hbase.destination.TableTarget;
import org.kblake.hbase.export.Export;
import org.kblake.hbase.export.ExportQuestion;
import org.kblake.hbase.export.ExportVerification;
import org.kblake.hbase.export.RegionSplits;
import org.kblake.hbase.stop.StopRequest;
import org.kblake.query.ArchiveReader;
import org.kblake.query.EventCursor;
import org.kblake.query.answer.CoverageReport;
import org.kblake.query.question.ChannelPattern;
import org.kblake.query.question.ChannelSelection;

/** {@code kblake export hbase}: writes events to a table of HBase. */
public final class ExportHBaseCommand implements Command {

  private static final String ADVICE = "the same command again continues there";
  private static final Duration SHORTEST = Duration.ofSeconds(1);
  private static final ByteSize MAX_MEMORY = ByteSize.parse("1G");

  private final Session session;
  private final CommandModel model =
      CommandModel.of("hbase", "Write events to a table of HBase.")
          .description(
              "",
              "Writes the events of a range, strays included, as files of HBase with FAST_DIFF, and"
                  + " loads them in bulk. A row is an event: its key is channel, time and place in"
                  + " the log (docs/hbase.md). The table is created if it does not exist.",
              "",
              "The range is written in stretches. A stretch that the table has is read, and not"
                  + " written again. So the same command continues after a stop, and adds what is"
                  + " new. No event is lost or doubled.",
              "",
              "Channels are records, without former names. Without a channel all are written.")
          .footer(
              "  kblake export hbase events --from 20240520 --to 20240521 --files hfiles",
              "  kblake export hbase events 'VA*' --from 20240520 --hbase-config /etc/hbase",
              "  kblake export hbase events --from 20240520 --verify --zookeeper zk1,zk2");

  private final Value<String> table =
      model.argument(String.class, "TABLE", "The table, TABLE or NAMESPACE:TABLE.");

  private final Values<String> channels =
      model.arguments(String.class, "CHANNEL", "A name, or a glob such as 'VA*'. Default: all.");

  private final GroupOption groups = new GroupOption(model);

  private final RangeOptions times = new RangeOptions(model);

  private final SourceOption source = new SourceOption(model);

  private final ClusterOptions cluster = new ClusterOptions(model);

  private final OptionalValue<String> staging =
      model.value(
          String.class,
          "PLACE",
          "The directory for files until they are loaded, a path or hdfs://...; the region servers"
              + " must see it. Default: a directory in the file system of --hbase-config.",
          "--staging");

  private final OptionalValue<Path> directory =
      model.value(
          Path.class,
          "DIR",
          "Write the files to DIR only, for a later bulk load. No cluster is needed.",
          "--files");

  private final OptionalValue<CellCompression> compression =
      model.value(
          CellCompression.class,
          "CODEC",
          "none, gz, snappy, lz4 or zstd. Default: that of the table, and gz for a new one. The"
              + " region servers need a codec for snappy, lz4 and zstd.",
          "--compression");

  private final OptionalValue<Integer> regions =
      model.value(
          Integer.class, "N", "Regions of a new table. Default: one for 5G of log.", "--regions");

  private final Value<Duration> batch =
      model.preset(
          Duration.class,
          "1d",
          "DURATION",
          "The time that is loaded at once. Default: ${DEFAULT-VALUE}.",
          "--stretch");

  private final Value<ByteSize> memory =
      model.preset(
          ByteSize.class,
          "128M",
          "SIZE",
          "Memory for the events of a stretch. A longer stretch is divided. Default:"
              + " ${DEFAULT-VALUE}.",
          "--memory");

  private final Flag again = model.flag("Write stretches that the table has, too.", "--again");

  private final Flag verify =
      model.flag("Write nothing. Compare the table with the archive, bit for bit.", "--verify");

  private long doneEvents;
  private int writtenBatches;
  private int knownBatches;

  public ExportHBaseCommand(Session session) {
    this.session = session;
  }

  @Override
  public CommandModel model() {
    return model;
  }

  @Override
  public Integer call() throws IOException {
    TimeRange range = range();
    if (directory.isGiven() && (cluster.isGiven() || staging.isGiven() || verify.isSet())) {
      throw new UsageException(
          "--files needs no cluster: leave out --hbase-config, --zookeeper, --staging, --verify");
    }
    if (directory.isGiven() && regions.isGiven()) {
      throw new UsageException("--files writes no table: leave out --regions");
    }
    if (memory.get().bytes() > MAX_MEMORY.bytes()) {
      throw new UsageException("--memory is at most " + MAX_MEMORY);
    }
    ClusterSettings settings = directory.isGiven() ? null : cluster.settings(session);
    LibraryWarnings quiet = LibraryWarnings.leaveOut();
    StopRequest.Watch watch = StopRequest.watch();
    try {
      return Stoppable.run(
          session,
          () -> String.format(Locale.ROOT, "%,d events are done; %s", doneEvents, ADVICE),
          () -> run(range, settings));
    } finally {
      watch.end();
      quiet.close();
    }
  }

  private TimeRange range() {
    if (!times.hasFrom()) {
      throw new UsageException("give --from, such as the begin of the archive");
    }
    if (batch.get().compareTo(SHORTEST) < 0) {
      throw new UsageException("--stretch is at least 1s");
    }
    return times.range(session, false);
  }

  private int run(TimeRange range, @Nullable ClusterSettings settings)
      throws IOException, InterruptedException {
    try (ArchiveReader archive = RecordReader.open(session, source.get())) {
      ExportQuestion question = ExportQuestion.of(archive, selection(), range, source.get());
      if (settings == null) {
        Path target = session.path(Objects.requireNonNull(directory.get()));
        return export(archive, question, filesTarget(target), target);
      }
      try (Cluster opened = Cluster.open(settings)) {
        ClusterTable events = opened.table(table.get());
        if (verify.isSet()) {
          ClusterErrors.run(
              "reading " + events.name(),
              () -> {
                events.check();
              });
          return verify(archive, question, events);
        }
        Configuration configuration = opened.configuration();
        org.apache.hadoop.fs.Path place = StagingPlace.of(staging.get(), configuration, session);
        ClusterErrors.run(
            "creating " + events.name(),
            () -> {
              events.create(
                  compression.get(),
                  RegionSplits.of(question.channels(), regionCount(archive, question)));
            });
        BatchTarget target = new TableTarget(events, configuration, place);
        return export(archive, question, target, Path.of(place.toUri().getPath()));
      }
    }
  }

  private ChannelSelection selection() {
    List<ChannelPattern> patterns =
        channels.get().isEmpty()
            ? List.of(ChannelPattern.glob("*"))
            : ChannelPatterns.of(channels.get());
    return ChannelSelection.of(patterns).in(groups.named().toArray(Group[]::new));
  }

  private BatchTarget filesTarget(Path target) throws IOException, InterruptedException {
    CellCompression chosen = compression.get();
    return new DirectoryTarget(
        new org.apache.hadoop.fs.Path(target.toAbsolutePath().toUri()),
        ClusterSettings.local(),
        chosen == null ? CellCompression.GZ : chosen);
  }

  private int regionCount(ArchiveReader archive, ExportQuestion question) throws IOException {
    Integer wished = regions.get();
    if (wished == null) {
      return RegionSplits.usual(logBytes(archive, question));
    }
    if (wished < 1) {
      throw new UsageException("--regions is at least 1");
    }
    return wished;
  }

  private static long logBytes(ArchiveReader archive, ExportQuestion question) throws IOException {
    long bytes = 0;
    for (Group group : question.names().keySet()) {
      try (EventCursor events = archive.cursor(question.all(group))) {
        bytes += events.plan().rawBytes();
      }
    }
    return bytes;
  }

  private int export(ArchiveReader archive, ExportQuestion question, BatchTarget target, Path place)
      throws IOException, InterruptedException {
    List<CoverageReport> missing;
    long bytes = logBytes(archive, question);
    boolean whole = RecordReader.isWhole(session, source.get(), archive);
    try (Progress progress = session.progress("export", bytes)) {
      missing =
          new Export(archive, question, batch.get(), memory.get().bytes(), whole)
              .run(target, again.isSet(), listener(progress, bytes));
    } catch (IOException e) {
      throw ClusterFailure.explained(e, place, ADVICE);
    }
    session.note(
        String.format(
            Locale.ROOT,
            "%s: %,d events of %,d channels; %d stretches written, %d were there",
            table.get(),
            doneEvents,
            question.channels().size(),
            writtenBatches,
            knownBatches));
    return status(question, missing);
  }

  private int verify(ArchiveReader archive, ExportQuestion question, ClusterTable events)
      throws IOException, InterruptedException {
    ExportVerification.Result result;
    long bytes = logBytes(archive, question);
    try (Progress progress = session.progress("verify", bytes)) {
      result =
          new ExportVerification(archive, question, batch.get(), memory.get().bytes(), events)
              .run(listener(progress, bytes));
    }
    session.report(table.get() + ": " + result);
    int status = status(question, result.coverage());
    return result.isEqual() ? status : ExitStatus.NOT_ANSWERED;
  }

  /**
   * @param logBytes the bytes of log; segments of two batches are read twice, and count once
   */
  private Export.Listener listener(Progress progress, long logBytes) {
    return new Export.Listener() {
      private long readBytes;
      private long shownBytes;

      @Override
      public void read(long bytes, long events) {
        readBytes += bytes;
        long shown = Math.min(readBytes, logBytes);
        progress.advance(shown - shownBytes, events);
        shownBytes = shown;
      }

      @Override
      public void done(long cells, boolean written) {
        doneEvents += cells;
        writtenBatches += written ? 1 : 0;
        knownBatches += written || cells == 0 ? 0 : 1;
      }
    };
  }

  private int status(ExportQuestion question, List<CoverageReport> missing) {
    List<CoverageReport> all = new ArrayList<>(missing);
    if (!question.unread().isEmpty()) {
      all.add(0, new CoverageReport(question.range(), question.unread(), 0, 0, List.of()));
    }
    MissingLines lines = new MissingLines(session);
    all.forEach(lines::write);
    return all.isEmpty() ? ExitStatus.DONE : ExitStatus.INCOMPLETE;
  }
}
