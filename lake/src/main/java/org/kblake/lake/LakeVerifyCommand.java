package org.kblake.lake;

import java.io.IOException;
import java.io.Writer;
import java.util.List;
import java.util.stream.Stream;
import org.kblake.cli.command.shared.GroupOption;
import org.kblake.cli.command.shared.NamedValues;
import org.kblake.cli.error.ExitStatus;
import org.kblake.cli.frame.Command;
import org.kblake.cli.frame.CommandModel;
import org.kblake.cli.frame.Session;
import org.kblake.cli.frame.Stoppable;
import org.kblake.cli.progress.Progress;
import org.kblake.core.model.Group;
import org.kblake.core.model.StoreGroups;
import org.kblake.core.store.StoreReader;
import org.kblake.lake.check.LakeCheck;
import org.kblake.lake.publish.LocationOwner;
import org.kblake.lake.table.LakeCatalog;

/** {@code kblake lake verify}: compares tables with the store by hashes. */
public final class LakeVerifyCommand implements Command {

  private final Session session;
  private final CommandModel model =
      CommandModel.of("verify", "Compare the tables with the store by hashes.")
          .description(
              "",
              "Reads each data file of each snapshot, and compares it with the hash that it had"
                  + " when it was published. Compares the data files of the present snapshot with"
                  + " the blocks of the store: their bytes, or the hash of their rows if the data"
                  + " file was written for the table. Files of blocks that the store evicted or"
                  + " merged are compared with their own hash only. Changes nothing.",
              "",
              "The status is 1 if a data file is wrong or missing, and 3 if something could not"
                  + " be compared. Standard error names each.")
          .footer("  kblake lake publish -q tables && kblake lake verify tables");

  private final CatalogOptions catalogs;
  private final GroupOption groups = new GroupOption(model);

  public LakeVerifyCommand(Session session) {
    this.session = session;
    catalogs = new CatalogOptions(model, session);
  }

  @Override
  public CommandModel model() {
    return model;
  }

  @Override
  public Integer call() throws IOException {
    StoreReader store = StoreReader.open(session.settings().store());
    try (LakeCatalog catalog = catalogs.open()) {
      new LocationOwner(catalog, store.archive()).require();
      List<Group> chosen = LakeGroups.of(catalog, groups.named());
      // Blocks of a group without tables are not published.
      StoreGroups stored = groups.named().isEmpty() ? store.groups() : StoreGroups.NONE;
      return Stoppable.run(
          session,
          "nothing was changed; the next run begins again",
          () -> verify(store, catalog, chosen, stored));
    }
  }

  private int verify(StoreReader store, LakeCatalog catalog, List<Group> chosen, StoreGroups stored)
      throws IOException, InterruptedException {
    CheckReport report;
    try (Progress progress =
        session.progress(
            "verifying", new LakeCheck(store, catalog, CheckReport.none()).bytes(chosen))) {
      report = new CheckReport(session::incompleteLine, progress);
      stored.unlisted().values().forEach(report::problem);
      new LakeCheck(store, catalog, report)
          .run(Stream.concat(chosen.stream(), stored.groups().stream()).distinct().toList());
    }
    try (Writer out = session.text()) {
      report.write(new NamedValues()).write(out);
    }
    if (report.isWrong()) {
      return ExitStatus.NOT_ANSWERED;
    }
    return report.isIncomplete() ? ExitStatus.INCOMPLETE : ExitStatus.DONE;
  }
}
