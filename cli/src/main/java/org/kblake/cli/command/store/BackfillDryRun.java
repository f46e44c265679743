package org.kblake.cli.command.store;

import java.io.IOException;
import java.io.Writer;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.kblake.cli.command.shared.NamedValues;
import org.kblake.cli.command.shared.TemporaryDirectory;
import org.kblake.cli.command.shared.WriteFailure;
import org.kblake.cli.error.ExitStatus;
import org.kblake.cli.frame.Session;
import org.kblake.core.internal.log.archive.Archive;
import org.kblake.core.internal.store.Store;
import org.kblake.core.internal.store.StoreIdentity;
import org.kblake.core.internal.store.file.StoreException;
import org.kblake.ingest.internal.backfill.BackfillEstimate;
import org.kblake.ingest.internal.backfill.BackfillSettings;

/** Estimates time and size of a backfill. It leaves no files. */
final class BackfillDryRun {

  private final Session session;
  private final Archive archive;
  private final StoreIdentity identity;
  private final BackfillSettings settings;

  BackfillDryRun(
      Session session, Archive archive, StoreIdentity identity, BackfillSettings settings) {
    this.session = session;
    this.archive = archive;
    this.identity = identity;
    this.settings = settings;
  }

  /**
   * Estimates and prints the result.
   *
   * @param directory the directory of the store that would be written
   * @return the exit status
   */
  int run(Path directory) throws IOException, InterruptedException {
    BackfillEstimate.Result result;
    BackfillReport report = new BackfillReport(session, "sample");
    Store present = openIfPresent(directory);
    try (present;
        report;
        TemporaryDirectory temporary = TemporaryDirectory.create("kblake-dry-run-")) {
      result = estimate(present, report, temporary.path());
    }
    try (Writer out = session.text()) {
      new NamedValues()
          .addBytes("raw bytes", result.rawBytes())
          .addBytes("expected bytes", result.storedBytes())
          .add("expected seconds", NamedValues.number(result.nanos() * 1e-9))
          .add("expected MiB/s", NamedValues.rate(result.rawBytes(), result.nanos()))
          .addBytes("in store before", result.coveredBytes())
          .addBytes("sampled bytes", result.sampledBytes())
          .write(out);
    }
    return report.problems() == 0 ? ExitStatus.DONE : ExitStatus.INCOMPLETE;
  }

  private BackfillEstimate.Result estimate(
      @Nullable Store present, BackfillReport report, Path temporary)
      throws IOException, InterruptedException {
    try {
      return new BackfillEstimate(archive, present, identity, settings, report).run(temporary);
    } catch (IOException e) {
      throw WriteFailure.explained(e, temporary, "the sample needs space for temporary files");
    }
  }

  /** Opens the store. Returns null if it does not exist: a dry run does not create it. */
  private @Nullable Store openIfPresent(Path directory) throws IOException {
    try {
      return Store.open(directory, identity);
    } catch (StoreException.Missing e) {
      return null;
    }
  }
}
