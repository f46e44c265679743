package org.kblake.cli.command.store;

import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.kblake.cli.command.shared.ExpectedStore;
import org.kblake.cli.command.shared.GroupChoice;
import org.kblake.cli.command.shared.GroupOption;
import org.kblake.cli.command.shared.LastVerify;
import org.kblake.cli.command.shared.LostEnds;
import org.kblake.cli.command.shared.NamedValues;
import org.kblake.cli.command.shared.StoreProfile;
import org.kblake.cli.error.ExitStatus;
import org.kblake.cli.error.RequestException;
import org.kblake.cli.error.UsageException;
import org.kblake.cli.frame.Command;
import org.kblake.cli.frame.CommandModel;
import org.kblake.cli.frame.Flag;
import org.kblake.cli.frame.OptionalValue;
import org.kblake.cli.frame.Session;
import org.kblake.cli.frame.Stoppable;
import org.kblake.cli.frame.Value;
import org.kblake.cli.frame.Values;
import org.kblake.core.archive.ArchiveSettings;
import org.kblake.core.archive.FileTree;
import org.kblake.core.archive.UnavailableException;
import org.kblake.core.internal.log.archive.Archive;
import org.kblake.core.internal.store.Store;
import org.kblake.core.internal.store.StoreIdentity;
import org.kblake.core.layout.LogLayout;
import org.kblake.core.model.Group;
import org.kblake.core.model.TimeRange;
import org.kblake.format.argument.ByteSize;
import org.kblake.format.argument.TimeArgument;
import org.kblake.ingest.internal.verify.Verify;

/** {@code kblake verify}: verifies that columns reproduce their logs. */
public final class VerifyCommand implements Command {

  private final Session session;
  private final CommandModel model =
      CommandModel.of("verify", "Verify that the columns reproduce their logs, byte for byte.")
          .description(
              "",
              "Reproduces the bytes of the logs from the columns in memory, and compares them with"
                  + " the logs. If a log is missing, compares them with its stored hashes. Changes"
                  + " no block without --discard.",
              "",
              "The status is 0 if every block is right. Otherwise it is 1, and standard error"
                  + " names each wrong block, with file, offset and event of the first difference."
                  + " It is 3 if a log of the blocks has lost its end.",
              "",
              "With --report the date, the hash of the log and the result of each block are written"
                  + " into a file as JSON. --compare prints which blocks of two such files differ,"
                  + " are gone, new, or wrong. The status is then 0 if each block of the first is in"
                  + " the second with the same hash, and none there is wrong; otherwise 1. Merged and"
                  + " evicted blocks are gone.",
              "",
              "With --discard wrong blocks are removed from the store, and the next backfill makes"
                  + " them again. A block is kept if its log is missing or has changed, because"
                  + " nothing else may have its events. The status is 0 if no wrong block is left.")
          .footer(
              "  kblake verify",
              "  kblake verify -g VA/CCG --no-archive",
              "  kblake verify --report may.json",
              "  kblake verify --compare may.json may.json",
              "  kblake verify --discard && kblake backfill");

  private final GroupOption groups = new GroupOption(model);

  private final OptionalValue<TimeArgument> from =
      model.value(
          TimeArgument.class, "TIME", "Only blocks with events at or after this time.", "--from");

  private final OptionalValue<TimeArgument> to =
      model.value(TimeArgument.class, "TIME", "Only blocks with events before this time.", "--to");

  private final ThreadsOption threads = new ThreadsOption(model);

  private final Flag noArchive =
      model.flag("Compare with the stored hashes only. No archive is needed.", "--no-archive");

  private final Flag discard =
      model.flag(
          "Move wrong blocks that can be made again to the store's trash. No other process may"
              + " write the store meanwhile.",
          "--discard");

  private final OptionalValue<Path> reportFile =
      model.value(Path.class, "FILE", "Write the result of each block into a file.", "--report");

  private final Values<Path> compare =
      model.pair(
          Path.class,
          "FILE",
          "Compare two reports, the earlier one first. Verifies nothing.",
          "--compare");

  private final Value<ByteSize> memory =
      model.preset(
          ByteSize.class,
          "512M",
          "SIZE",
          "Memory for events. Default: ${DEFAULT-VALUE}.",
          "--memory");

  /** The progress of the work; null before it begins. */
  private @Nullable VerifyReport report;

  public VerifyCommand(Session session) {
    this.session = session;
  }

  @Override
  public CommandModel model() {
    return model;
  }

  @Override
  public Integer call() throws IOException {
    if (!compare.get().isEmpty()) {
      return compare(compare.get().get(0), compare.get().get(1));
    }
    TimeRange range = Period.of(session, from.get(), to.get());
    int cores = threads.count();
    if (discard.isSet() && noArchive.isSet()) {
      throw new UsageException(
          "--discard excludes --no-archive: blocks are made again from the archive's logs");
    }
    Path file = reportFile.get() == null ? null : session.path(reportFile.get());
    if (file != null) {
      refuseInside(file);
    }
    session.lowerPriority();
    ArchiveSettings settings = session.settings().archiveSettings();
    StoreIdentity expected =
        noArchive.isSet()
            ? null
            : ExpectedStore.of(session.settings().archive(), settings, StoreProfile.standard);
    try (Store store = open(expected)) {
      List<String> problems = new ArrayList<>();
      List<Group> chosen = GroupChoice.ofStore(groups.named(), store.listedGroups(), problems::add);
      problems.forEach(session::incomplete);
      Archive archive = noArchive.isSet() ? null : archive();
      int status =
          Stoppable.run(
              session,
              () ->
                  (report == null ? "" : report.extent() + "; ")
                      + (discard.isSet()
                          ? "wrong blocks were discarded or kept as reported"
                          : "nothing was changed")
                      + "; the next run begins again",
              () -> verify(archive, store, settings.layouts(), chosen, range, cores, file));
      return status == ExitStatus.DONE && !problems.isEmpty() ? ExitStatus.INCOMPLETE : status;
    }
  }

  private int compare(Path before, Path after) throws IOException {
    VerificationComparison comparison =
        new VerificationComparison(
            Verification.read(session.path(before)), Verification.read(session.path(after)));
    try (Writer out = session.text()) {
      return comparison.write(out);
    }
  }

  private void refuseInside(Path file) throws IOException {
    if (!noArchive.isSet() && new FileTree(session.settings().archive()).holds(file)) {
      throw new RequestException(
          "--report is inside the archive, where kblake never writes: file="
              + file
              + "; name another directory");
    }
    Path directory = file.toAbsolutePath().getParent();
    if (directory != null && !Files.isWritable(directory)) {
      throw new RequestException("--report cannot be written: directory=" + directory);
    }
  }

  private Store open(@Nullable StoreIdentity expected) throws IOException {
    Path directory = session.settings().store();
    if (!discard.isSet() || expected == null) {
      return Store.open(directory, expected);
    }
    // a missing store is not created here
    StoreIdentity.read(directory);
    return Store.openForWriting(directory, expected);
  }

  private int verify(
      @Nullable Archive archive,
      Store store,
      List<LogLayout> layouts,
      List<Group> chosen,
      TimeRange range,
      int cores,
      @Nullable Path file)
      throws IOException, InterruptedException {
    Verify.Summary summary;
    VerifyReport own = new VerifyReport(session);
    report = own;
    try (own) {
      summary =
          new Verify(archive, store, layouts, memory.get().bytes(), discard.isSet(), own)
              .run(chosen, range, cores);
      if (archive != null) {
        for (Group group : chosen) {
          LostEnds.behindCopies(archive, store.directory(), group, range)
              .forEach(line -> own.lost(group, line));
        }
      }
    }
    String date = session.now().truncatedTo(ChronoUnit.SECONDS).toString();
    if (groups.named().isEmpty() && range.equals(TimeRange.ALL)) {
      new LastVerify(Instant.parse(date), summary.blocks(), summary.failed() - summary.discarded())
          .write(store.directory());
    }
    try (Writer out = session.text()) {
      new NamedValues()
          .add("blocks", summary.blocks())
          .add("wrong", summary.failed())
          .add("discarded", summary.discarded())
          .add("checked by logs", own.againstLogs())
          .add("checked by hashes", own.againstHashes())
          .addBytes("raw bytes", summary.rawBytes())
          .add("MiB/s", NamedValues.rate(summary.rawBytes(), summary.nanos()))
          .add("verdict", own.verdict(summary))
          .write(out);
    }
    if (file != null) {
      Verification.of(date, store.identity().archive(), own.entries()).write(file);
    }
    if (summary.failed() != summary.discarded()) {
      return ExitStatus.NOT_ANSWERED;
    }
    return own.isComplete() ? ExitStatus.DONE : ExitStatus.INCOMPLETE;
  }

  /**
   * Opens the archive. Returns null if it is unavailable: blocks are then compared with the stored
   * hashes.
   */
  private @Nullable Archive archive() throws IOException {
    try {
      return session.settings().openArchive();
    } catch (UnavailableException e) {
      if (discard.isSet()) {
        throw e;
      }
      session.report(e.getMessage() + "; the stored hashes are compared");
      return null;
    }
  }
}
