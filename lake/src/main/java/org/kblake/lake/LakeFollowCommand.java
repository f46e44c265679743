package org.kblake.lake;

import java.io.IOException;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.kblake.cli.command.shared.GroupChoice;
import org.kblake.cli.command.shared.GroupOption;
import org.kblake.cli.frame.Command;
import org.kblake.cli.frame.CommandModel;
import org.kblake.cli.frame.Release;
import org.kblake.cli.frame.Session;
import org.kblake.cli.frame.Stoppable;
import org.kblake.cli.frame.Value;
import org.kblake.core.model.Group;
import org.kblake.core.store.StoreReader;
import org.kblake.lake.facts.FactSources;
import org.kblake.lake.publish.ChangedGroups;
import org.kblake.lake.publish.LakeErrors;
import org.kblake.lake.publish.PublishLock;
import org.kblake.lake.publish.Publisher;
import org.kblake.lake.table.LakeCatalog;

/** {@code kblake lake follow}: publishes blocks as they are sealed, until it is stopped. */
public final class LakeFollowCommand implements Command {

  /** A commit is not interrupted. It takes at most some seconds. */
  private static final long STOP_SECONDS = 30;

  private final Session session;
  private final CommandModel model =
      CommandModel.of("follow", "Publish blocks as they are sealed, until stopped.")
          .description(
              "",
              "Publishes what the tables lack, as kblake lake publish does, and then whatever"
                  + " kblake run or another writer sealed or merged in the store since. It is a"
                  + " process of its own. While the catalog, the store or the location does not"
                  + " respond, it reports that once and tries again. It waits while another process"
                  + " publishes to the location.")
          .footer("  kblake lake follow tables --every 1min");

  private final CatalogOptions catalogs;
  private final GroupOption groups = new GroupOption(model);
  private final FormOptions form = new FormOptions(model);

  private final Value<Duration> every =
      model.preset(
          Duration.class,
          "10min",
          "TIME",
          "The interval at which new blocks are published, in one snapshot of each table. Default:"
              + " ${DEFAULT-VALUE}.",
          "--every");

  private final FollowRound round;

  public LakeFollowCommand(Session session) {
    this.session = session;
    catalogs = new CatalogOptions(model, session);
    round =
        new FollowRound(line -> session.note(now() + line), line -> session.report(now() + line));
  }

  private String now() {
    return session.now().truncatedTo(ChronoUnit.SECONDS) + " ";
  }

  @Override
  public CommandModel model() {
    return model;
  }

  @Override
  public Integer call() throws IOException {
    catalogs.requireAllowed();
    StoreReader store = StoreReader.open(session.settings().store());
    GroupChoice.ofStore(groups.named(), store.groups(), line -> {});
    session.noteSettingsFile();
    return Stoppable.runQuietly(() -> follow(store), STOP_SECONDS);
  }

  private int follow(StoreReader store) throws InterruptedException {
    ChangedGroups changed = new ChangedGroups(store);
    while (true) {
      round.begin();
      attempt(() -> work(store, changed));
      TimeUnit.NANOSECONDS.sleep(every.get().toNanos());
    }
  }

  private interface Work {
    void run() throws IOException, InterruptedException;
  }

  /** Does one work of a round. An error is reported, and does not prevent other work. */
  private void attempt(Work work) throws InterruptedException {
    try {
      work.run();
    } catch (IOException | RuntimeException e) {
      LakeErrors.requireNotStopped(e);
      round.problem(LakeErrors.line(e));
    }
  }

  private void work(StoreReader store, ChangedGroups changed)
      throws IOException, InterruptedException {
    List<Group> chosen = new ArrayList<>(groups.named());
    if (chosen.isEmpty()) {
      chosen.addAll(GroupChoice.ofStore(List.of(), store.groups(), round::problem));
    }
    FactSources sources = StoreSources.of(session, store);
    attempt(() -> publish(store, changed, chosen, sources));
    for (Group group : chosen) {
      attempt(() -> sources.archive().lostEnds(group).forEach(round::problem));
    }
  }

  private void publish(
      StoreReader store, ChangedGroups changed, List<Group> chosen, FactSources sources)
      throws IOException, InterruptedException {
    List<ChangedGroups.Listed> due = changed.of(chosen);
    if (due.isEmpty()) {
      return;
    }
    // The catalog is opened again, because its connection may have been lost.
    try (LakeCatalog catalog = catalogs.open();
        PublishLock lock = PublishLock.take(catalog, session::note)) {
      Publisher publisher =
          new Publisher(
              store, catalog, form.form(), sources, Release.version(), lock, session::now, round);
      List<ChangedGroups.Listed> done = new ArrayList<>();
      for (ChangedGroups.Listed listed : due) {
        int before = round.problems();
        publisher.run(List.of(listed.group()));
        if (round.problems() == before) {
          done.add(listed);
        }
      }
      int before = round.problems();
      publisher.finish();
      if (round.problems() == before) {
        done.forEach(changed::published);
      }
    }
  }
}
