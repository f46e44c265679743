package org.kblake.lake;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.kblake.cli.command.shared.GroupChoice;
import org.kblake.cli.command.shared.GroupOption;
import org.kblake.cli.error.ExitStatus;
import org.kblake.cli.frame.Command;
import org.kblake.cli.frame.CommandModel;
import org.kblake.cli.frame.Flag;
import org.kblake.cli.frame.Release;
import org.kblake.cli.frame.Session;
import org.kblake.cli.frame.Stoppable;
import org.kblake.cli.progress.Progress;
import org.kblake.core.model.Group;
import org.kblake.core.store.StoreReader;
import org.kblake.lake.facts.FactSources;
import org.kblake.lake.publish.PublishLock;
import org.kblake.lake.publish.Publisher;
import org.kblake.lake.publish.StoreSize;
import org.kblake.lake.table.LakeCatalog;

/** {@code kblake lake publish}: commits the blocks of the store to tables. */
public final class PublishCommand implements Command {

  private final Session session;
  private final CommandModel model =
      CommandModel.of("publish", "Commit the blocks of the store to tables.")
          .description(
              "",
              "Commits what the tables at LOCATION lack of the store. There is one table for each"
                  + " group and value type, SYSTEM.GROUP_TYPE. A data file has the rows of a"
                  + " block, and is a hard link to the block's file, or a copy, or is written for"
                  + " the table if not all engines read the block's file. Merged blocks replace"
                  + " their parts in one snapshot. Blocks that the store evicted stay in the"
                  + " tables.",
              "",
              "A table keeps its newest 100 snapshots, those of the last hour, and the last of each"
                  + " day for 90 days. Older ones are forgotten: see kblake lake drop.",
              "",
              "Each snapshot is complete. After Ctrl-C or a kill the next publish continues, and"
                  + " removes what was left. The status is 3 if a part could not be published, and"
                  + " standard error names it.")
          .footer("  kblake lake publish tables", "  kblake lake publish -g BM/DCCT tables");

  private final CatalogOptions catalogs;
  private final GroupOption groups = new GroupOption(model);

  private final FormOptions form = new FormOptions(model);

  private final Flag wait =
      model.flag("Wait if another process publishes to the location.", "--wait");

  private @Nullable PublishReport report;

  public PublishCommand(Session session) {
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
      return Stoppable.run(
          session,
          () ->
              (report == null ? "nothing was committed" : report.extent() + " were committed")
                  + "; the next publish continues",
          () -> publish(store, catalog));
    }
  }

  private int publish(StoreReader store, LakeCatalog catalog)
      throws IOException, InterruptedException {
    Consumer<String> waiting = wait.isSet() ? session::note : null;
    List<String> unlisted = new ArrayList<>();
    List<Group> chosen = GroupChoice.ofStore(groups.named(), store.groups(), unlisted::add);
    try (PublishLock lock = PublishLock.take(catalog, waiting)) {
      PublishReport own;
      try (Progress progress = session.progress("publishing", StoreSize.of(store, chosen))) {
        own = new PublishReport(session, progress);
        report = own;
        unlisted.forEach(own::problem);
        FactSources sources = StoreSources.of(session, store);
        Publisher publisher =
            new Publisher(
                store, catalog, form.form(), sources, Release.version(), lock, session::now, own);
        publisher.run(chosen);
        publisher.finish();
        for (Group group : chosen) {
          sources.archive().lostEnds(group).forEach(own::problem);
        }
      }
      own.write(session);
      return own.hasProblems() ? ExitStatus.INCOMPLETE : ExitStatus.DONE;
    }
  }
}
