package org.kblake.cli.command.store;

import java.io.IOException;
import java.io.Writer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.kblake.cli.command.shared.ExpectedStore;
import org.kblake.cli.command.shared.GroupChoice;
import org.kblake.cli.command.shared.GroupOption;
import org.kblake.cli.command.shared.KnownGroups;
import org.kblake.cli.command.shared.LostEnds;
import org.kblake.cli.command.shared.NamedValues;
import org.kblake.cli.command.shared.OptionalStore;
import org.kblake.cli.command.shared.StoreProfile;
import org.kblake.cli.command.shared.WriteFailure;
import org.kblake.cli.error.ExitStatus;
import org.kblake.cli.frame.Command;
import org.kblake.cli.frame.CommandModel;
import org.kblake.cli.frame.Flag;
import org.kblake.cli.frame.OptionalValue;
import org.kblake.cli.frame.Session;
import org.kblake.cli.frame.Stoppable;
import org.kblake.core.internal.log.archive.Archive;
import org.kblake.core.internal.store.Store;
import org.kblake.core.internal.store.StoreIdentity;
import org.kblake.core.internal.store.file.StoreException;
import org.kblake.core.model.Group;
import org.kblake.core.model.TimeRange;
import org.kblake.format.argument.ByteSize;
import org.kblake.format.argument.TimeArgument;
import org.kblake.ingest.internal.backfill.Backfill;
import org.kblake.ingest.internal.backfill.BackfillSettings;
import org.kblake.ingest.internal.backfill.BackfillSummary;
import org.kblake.ingest.internal.live.state.BackfillRequest;

/** {@code kblake backfill}: transcodes logs into columns. */
public final class BackfillCommand implements Command {

  private final Session session;
  private final CommandModel model =
      CommandModel.of("backfill", "Transcode an archive, or a part of it, into the store.")
          .description(
              "",
              "Puts every whole segment of log in the range that is not in the store yet into"
                  + " columns. Creates the store if there is none. It may be stopped at any"
                  + " moment: the next run continues there. If everything is in columns, it does"
                  + " nothing. It never writes to the archive.",
              "",
              "The summary goes to standard output. If parts are damaged or cannot be read,"
                  + " standard error lists them, everything else is transcoded, and the status is"
                  + " 3.",
              "",
              "A store has one writer at a time. If kblake run has locked it, that process does"
                  + " the work with its own --threads, --memory and --codec, and within its"
                  + " budget. This command shows the progress, and continues the work itself if"
                  + " that process ends. Ctrl-C cancels the request. If another process has locked"
                  + " the store, the command names it and ends.")
          .footer(
              "  kblake backfill --dry-run",
              "  kblake backfill -g VA/CCG -g RF/AnalogData --from 2024-05-20 --to 2024-05-21",
              "  kblake backfill --threads 1 --memory 256M --io-limit 40MB",
              "  kblake backfill -q | grep 'bytes per event'");

  private final GroupOption groups = new GroupOption(model);

  private final OptionalValue<TimeArgument> from =
      model.value(
          TimeArgument.class,
          "TIME",
          "Begin with the segment that includes this time; default: the first segment.",
          "--from");

  private final OptionalValue<TimeArgument> to =
      model.value(
          TimeArgument.class,
          "TIME",
          "End with the segment that includes the last instant before this time;"
              + " default: the last whole segment.",
          "--to");

  private final WriteOptions write =
      new WriteOptions(model, "512M", "become columns", "read from the archive");

  private final OptionalValue<StoreProfile> profile =
      model.value(
          StoreProfile.class,
          "PROFILE",
          "Write columns for kblake and most readers (standard), or for Spark, too (lake). A"
              + " store has one profile; default: that of the store, standard for a new store.",
          "--profile");

  private final Flag dryRun =
      model.flag(
          "Write nothing to the store. Print the expected time and size. A sample is transcoded"
              + " into a temporary directory, which is removed.",
          "-n",
          "--dry-run");

  /** The progress of the work; null before it begins, or if another process does it. */
  private @Nullable BackfillReport report;

  public BackfillCommand(Session session) {
    this.session = session;
  }

  @Override
  public CommandModel model() {
    return model;
  }

  @Override
  public Integer call() throws IOException {
    TimeRange range = Period.of(session, from.get(), to.get());
    write.check();
    session.lowerPriority();
    Path directory = session.settings().store();
    Archive archive = session.settings().openArchive();
    Choice choice = chosen(archive);
    StoreProfile written = ExpectedStore.profile(directory, profile.get());
    BackfillSettings settings =
        new BackfillSettings(
            choice.groups(),
            range,
            write.threads(),
            write.memoryBytes(),
            write.ioLimitBytes(),
            write.profile(written));
    StoreIdentity identity = ExpectedStore.of(archive, written);
    int status =
        dryRun.isSet()
            ? Stoppable.run(
                session,
                "nothing was written",
                () -> new BackfillDryRun(session, archive, identity, settings).run(directory))
            : Stoppable.run(
                session,
                () -> (report == null ? "" : report.extent() + "; ") + WriteOptions.ADVICE,
                () -> backfill(archive, directory, identity, settings));
    boolean complete = choice.complete();
    for (Group group : choice.groups()) {
      for (String line : LostEnds.behindCopies(archive, directory, group, range)) {
        session.incomplete(line);
        complete = false;
      }
    }
    return status == ExitStatus.DONE && !complete ? ExitStatus.INCOMPLETE : status;
  }

  /**
   * The groups to put into columns.
   *
   * @param complete whether all groups could be listed
   */
  private record Choice(List<Group> groups, boolean complete) {}

  private Choice chosen(Archive archive) throws IOException {
    try (OptionalStore store = OptionalStore.of(session.settings())) {
      KnownGroups known = KnownGroups.of(session.settings(), archive, store.store());
      known.notes().forEach(session::report);
      List<String> problems = groups.named().isEmpty() ? known.problems() : List.of();
      problems.forEach(session::incomplete);
      List<Group> chosen = new ArrayList<>(known.chosen(groups.named(), "the archive"));
      if (groups.named().isEmpty()) {
        chosen.removeIf(known::isReplaced);
      }
      if (chosen.isEmpty()) {
        throw GroupChoice.noGroups(archive);
      }
      return new Choice(chosen, problems.isEmpty());
    }
  }

  private int backfill(
      Archive archive, Path directory, StoreIdentity identity, BackfillSettings settings)
      throws IOException, InterruptedException {
    BackfillSummary summary;
    try {
      Store store = Store.openForWriting(directory, identity);
      summary = alone(archive, store, settings);
    } catch (StoreException.Locked e) {
      summary = handedOver(archive, directory, identity, settings);
    } catch (IOException e) {
      throw WriteFailure.explained(e, directory, WriteOptions.ADVICE);
    }
    try (Writer out = session.text()) {
      new NamedValues()
          .add("events", summary.events())
          .addBytes("raw bytes", summary.rawBytes())
          .addBytes("stored bytes", summary.storedBytes())
          .add("bytes per event", NamedValues.number(summary.bytesPerEvent()))
          .add("MiB/s", NamedValues.number(summary.rawMebibytesPerSecond()))
          .add("seconds", NamedValues.number(summary.nanos() * 1e-9))
          .add("blocks", summary.blocks())
          .addBytes("in store before", summary.coveredBytes())
          .add("verdict", verdict(summary))
          .write(out);
    }
    return summary.problems() == 0 ? ExitStatus.DONE : ExitStatus.INCOMPLETE;
  }

  private static String verdict(BackfillSummary summary) {
    String done =
        summary.problems() == 0
            ? "nothing to do: every whole segment is in columns"
            : "nothing was put into columns";
    if (summary.blocks() > 0) {
      done =
          "%s of log are in %s; kblake verify proves them"
              .formatted(
                  new ByteSize(summary.rawBytes()),
                  NamedValues.count(summary.blocks(), "new block"));
    }
    return summary.problems() == 0
        ? done
        : done + "; standard error lists " + NamedValues.count(summary.problems(), "problem");
  }

  private BackfillSummary alone(Archive archive, Store opened, BackfillSettings settings)
      throws IOException, InterruptedException {
    BackfillReport own = new BackfillReport(session, "backfill");
    report = own;
    try (Store store = opened;
        own) {
      return new Backfill(archive, store, settings, own).run();
    }
  }

  private BackfillSummary handedOver(
      Archive archive, Path directory, StoreIdentity identity, BackfillSettings settings)
      throws IOException, InterruptedException {
    BackfillRequest request =
        new BackfillRequest(groups.named(), settings.range(), settings.ioLimitBytesPerSecond());
    HandedOverBackfill.End end =
        new HandedOverBackfill(session, directory, identity, request, notHandedOver()).run();
    BackfillSummary summary = end.summary();
    if (summary != null) {
      return summary;
    }
    try {
      return alone(archive, Objects.requireNonNull(end.store()), settings);
    } catch (IOException e) {
      throw WriteFailure.explained(e, directory, WriteOptions.ADVICE);
    }
  }

  /** Returns the given options that apply only if this command does the work itself. */
  private List<String> notHandedOver() {
    return model.given("--threads", "--memory", "--codec");
  }
}
