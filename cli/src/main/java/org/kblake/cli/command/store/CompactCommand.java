package org.kblake.cli.command.store;

import java.io.IOException;
import java.io.Writer;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.kblake.cli.command.shared.ExpectedStore;
import org.kblake.cli.command.shared.GroupChoice;
import org.kblake.cli.command.shared.GroupOption;
import org.kblake.cli.command.shared.KnownGroups;
import org.kblake.cli.command.shared.NamedValues;
import org.kblake.cli.command.shared.StoreProfile;
import org.kblake.cli.command.shared.WriteFailure;
import org.kblake.cli.error.ExitStatus;
import org.kblake.cli.error.UsageException;
import org.kblake.cli.frame.Command;
import org.kblake.cli.frame.CommandModel;
import org.kblake.cli.frame.Flag;
import org.kblake.cli.frame.Session;
import org.kblake.cli.frame.Stoppable;
import org.kblake.cli.frame.Value;
import org.kblake.core.archive.UnavailableException;
import org.kblake.core.internal.log.archive.Archive;
import org.kblake.core.internal.log.pair.Pair;
import org.kblake.core.internal.store.Store;
import org.kblake.core.internal.store.StoreIdentity;
import org.kblake.core.internal.store.block.Block;
import org.kblake.core.model.Group;
import org.kblake.format.argument.ByteSize;
import org.kblake.ingest.internal.compact.CompactionPlan;
import org.kblake.ingest.internal.compact.CompactionSettings;
import org.kblake.ingest.internal.compact.Compactor;
import org.kblake.ingest.internal.pace.RateLimit;

/** {@code kblake compact}: merges small blocks into larger ones. */
public final class CompactCommand implements Command {

  private final Session session;
  private final CommandModel model =
      CommandModel.of("compact", "Merge small blocks of the store into larger ones.")
          .description(
              "",
              "Merges blocks of a past hour, day or month if that saves space or makes reads"
                  + " faster. Verifies every block by the hashes of its log before the merge."
                  + " Wrong blocks are not merged: standard error names them, and the status is 3."
                  + " Answers are the same before, during and after a merge.",
              "",
              "Also adds rollups for trends to blocks that were made without them.",
              "",
              "Replaced blocks go to the store's trash. The next command that writes empties it"
                  + " after a quarter of an hour.")
          .footer(
              "  kblake compact --dry-run",
              "  kblake compact -g RF/AnalogData --threads 1 --memory 256M --io-limit 40MB");

  private final GroupOption groups = new GroupOption(model);

  private final Value<ByteSize> largest =
      model.preset(
          ByteSize.class,
          "8G",
          "SIZE",
          "Largest size of log in a merged block. Blocks of a quarter of it or more are not merged."
              + " Default: ${DEFAULT-VALUE}.",
          "--largest");

  private final WriteOptions write =
      new WriteOptions(model, "256M", "are merged", "read and written");

  private final Flag dryRun =
      model.flag("Write nothing. Print what would be merged.", "-n", "--dry-run");

  /** The progress of the work; null before it begins. */
  private @Nullable CompactionReport report;

  public CompactCommand(Session session) {
    this.session = session;
  }

  @Override
  public CommandModel model() {
    return model;
  }

  @Override
  public Integer call() throws IOException {
    checkLimits();
    session.lowerPriority();
    Path directory = session.settings().store();
    Archive archive = session.settings().openArchive();
    StoreIdentity identity = ExpectedStore.of(archive, ExpectedStore.profile(directory, null));
    try (Store store = Store.open(directory, identity)) {
      List<String> problems = new ArrayList<>();
      List<Group> chosen = GroupChoice.ofStore(groups.named(), store.listedGroups(), problems::add);
      problems.forEach(session::incomplete);
      int status =
          Stoppable.run(
              session,
              () ->
                  dryRun.isSet()
                      ? "nothing was written"
                      : (report == null ? "" : report.extent() + "; ") + WriteOptions.ADVICE,
              () ->
                  dryRun.isSet()
                      ? predict(archive, store, chosen)
                      : compact(archive, identity, chosen));
      return status == ExitStatus.DONE && !problems.isEmpty() ? ExitStatus.INCOMPLETE : status;
    }
  }

  private void checkLimits() {
    write.check();
    if (largest.get().bytes() < 4) {
      throw new UsageException("--largest must be at least 4, found " + largest.get());
    }
  }

  private Compactor compactor(Archive archive, Store store, CompactionReport listener) {
    return new Compactor(
        archive,
        store,
        new CompactionPlan(session.settings().zone(), largest.get().bytes()),
        new CompactionSettings(
            write.threads(),
            write.memoryBytes(),
            write.profile(StoreProfile.of(store.identity())),
            new RateLimit(write.ioLimitBytes())),
        listener);
  }

  private int predict(Archive archive, Store store, List<Group> chosen) throws IOException {
    int blocks = 0;
    int made = 0;
    int without = 0;
    long rawBytes = 0;
    try (CompactionReport own = new CompactionReport(session);
        Writer out = session.text()) {
      Compactor compactor = compactor(archive, store, own);
      reportUnlisted(archive, store, chosen, own);
      for (Group group : chosen) {
        for (List<Block> merge : compactor.planned(group, now())) {
          boolean isMerge = merge.size() > 1;
          blocks += isMerge ? merge.size() : 0;
          made += isMerge ? 1 : 0;
          without += isMerge ? 0 : 1;
          rawBytes += rawBytes(merge);
          out.write(
              group
                  + ": "
                  + (isMerge ? merge.size() + " blocks" : "rollups for the block")
                  + " from "
                  + merge.get(0).summary().from()
                  + " to "
                  + merge.get(merge.size() - 1).summary().to()
                  + System.lineSeparator());
        }
      }
      new NamedValues()
          .add("blocks", blocks)
          .add("become", made)
          .addBytes("raw bytes", rawBytes)
          .add("verdict", prediction(blocks, made, without))
          .write(out);
      return own.problems() == 0 ? ExitStatus.DONE : ExitStatus.INCOMPLETE;
    }
  }

  private static String prediction(int blocks, int made, int without) {
    String merges = made == 0 ? "nothing to merge" : blocks + " blocks would become " + made;
    return without == 0
        ? merges
        : merges + "; rollups would be added to " + NamedValues.count(without, "block");
  }

  private int compact(Archive archive, StoreIdentity identity, List<Group> chosen)
      throws IOException, InterruptedException {
    Path directory = session.settings().store();
    long begin = System.nanoTime();
    CompactionReport own = new CompactionReport(session);
    report = own;
    try (Store store = Store.openForWriting(directory, identity);
        own) {
      Compactor compactor = compactor(archive, store, own);
      reportUnlisted(archive, store, chosen, own);
      long planned = 0;
      for (Group group : chosen) {
        for (List<Block> merge : compactor.planned(group, now())) {
          planned += rawBytes(merge);
        }
      }
      own.planned(planned);
      for (Group group : chosen) {
        compactor.run(group, now());
      }
    } catch (IOException e) {
      throw WriteFailure.explained(e, directory, WriteOptions.ADVICE);
    }
    try (Writer out = session.text()) {
      new NamedValues()
          .add("blocks", own.merged())
          .add("became", own.made())
          .addBytes("raw bytes", own.rawBytes())
          .addBytes("stored before", own.bytesBefore())
          .addBytes("stored bytes", own.bytesAfter())
          .add("MiB/s", NamedValues.rate(own.rawBytes(), System.nanoTime() - begin))
          .add("verdict", own.verdict())
          .write(out);
    }
    return own.problems() == 0 ? ExitStatus.DONE : ExitStatus.INCOMPLETE;
  }

  /**
   * Reports groups whose pairs cannot be listed. Blocks of such a group are merged only within a
   * pair.
   */
  private void reportUnlisted(
      Archive archive, Store store, List<Group> chosen, CompactionReport listener)
      throws IOException {
    KnownGroups known = KnownGroups.of(session.settings(), archive, store);
    for (Group group : chosen) {
      try {
        List<Pair> unused = known.pairs(group, problem -> {});
      } catch (UnavailableException e) {
        listener.problem(group, String.valueOf(e.getMessage()));
      }
    }
  }

  private Instant now() {
    return session.now();
  }

  private static long rawBytes(List<Block> blocks) {
    return blocks.stream().mapToLong(block -> block.summary().rawBytes()).sum();
  }
}
