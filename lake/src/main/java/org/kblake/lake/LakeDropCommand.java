package org.kblake.lake;

import java.io.IOException;
import java.io.Writer;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.kblake.cli.command.shared.GroupOption;
import org.kblake.cli.command.shared.NamedValues;
import org.kblake.cli.error.ExitStatus;
import org.kblake.cli.error.RequestException;
import org.kblake.cli.error.UsageException;
import org.kblake.cli.frame.Command;
import org.kblake.cli.frame.CommandModel;
import org.kblake.cli.frame.Flag;
import org.kblake.cli.frame.Session;
import org.kblake.cli.frame.Stoppable;
import org.kblake.cli.frame.Value;
import org.kblake.cli.progress.Progress;
import org.kblake.cli.progress.ProgressUnit;
import org.kblake.core.model.Group;
import org.kblake.format.argument.TimeArgument;
import org.kblake.lake.publish.LakeErrors;
import org.kblake.lake.publish.PublishLock;
import org.kblake.lake.publish.TableDrop;
import org.kblake.lake.table.LakeCatalog;
import org.kblake.lake.table.LakeTable;

/** {@code kblake lake drop}: forgets old snapshots, and removes files that no snapshot needs. */
public final class LakeDropCommand implements Command {

  private final Session session;
  private final CommandModel model =
      CommandModel.of("drop", "Forget old snapshots, and remove files that only these need.")
          .description(
              "",
              "Forgets the snapshots that were committed before a time, except the present one of"
                  + " each table. Removes the files that no other snapshot needs, for example the"
                  + " data files of blocks that were merged since. No row of the present snapshot"
                  + " is removed. An analysis that cites a forgotten snapshot cannot be repeated.")
          .footer("  kblake lake publish -q tables && kblake lake drop --before 2024-06-01 tables");

  private final CatalogOptions catalogs;

  private final Value<TimeArgument> before =
      model.required(
          TimeArgument.class, "TIME", "The time before which snapshots are forgotten.", "--before");

  private final GroupOption groups = new GroupOption(model);

  private final Flag wait =
      model.flag("Wait if another process publishes to the location.", "--wait");

  private int snapshots;
  private int files;
  private int failed;

  public LakeDropCommand(Session session) {
    this.session = session;
    catalogs = new CatalogOptions(model, session);
  }

  @Override
  public CommandModel model() {
    return model;
  }

  @Override
  public Integer call() throws IOException {
    long nanos = nanos();
    try (LakeCatalog catalog = catalogs.open()) {
      return Stoppable.run(
          session,
          () -> snapshots + " snapshots were forgotten; the next run continues",
          () -> drop(catalog, TimeUnit.NANOSECONDS.toMillis(nanos)));
    } catch (LakeCatalog.Moved e) {
      throw new RequestException(String.valueOf(e.getMessage()));
    }
  }

  private long nanos() {
    try {
      return before.get().nanos(session.settings().outZone(), session.now(), TimeArgument.Bound.TO);
    } catch (IllegalArgumentException e) {
      throw new UsageException(String.valueOf(e.getMessage()), e);
    }
  }

  private int drop(LakeCatalog catalog, long beforeMillis)
      throws IOException, InterruptedException {
    Consumer<String> waiting = wait.isSet() ? session::note : null;
    try (PublishLock lock = PublishLock.take(catalog, waiting)) {
      List<Group> chosen = LakeGroups.of(catalog, groups.named());
      try (Progress progress = session.progress("dropping", chosen.size(), ProgressUnit.GROUPS)) {
        for (Group group : chosen) {
          for (LakeTable table : catalog.tables(group)) {
            drop(table, lock, beforeMillis, progress);
          }
          progress.advance(1, 0);
        }
        for (LakeTable table : catalog.siteTables()) {
          drop(table, lock, beforeMillis, progress);
        }
      }
    }
    try (Writer out = session.text()) {
      new NamedValues().add("snapshots", snapshots).add("files", files).write(out);
    }
    return failed == 0 ? ExitStatus.DONE : ExitStatus.INCOMPLETE;
  }

  private void drop(LakeTable table, PublishLock lock, long beforeMillis, Progress progress)
      throws IOException, InterruptedException {
    if (Thread.interrupted()) {
      throw new InterruptedException();
    }
    lock.confirm();
    try {
      TableDrop.Result result = TableDrop.run(table, lock, beforeMillis);
      snapshots += result.snapshots();
      files += result.files();
    } catch (IOException | RuntimeException e) {
      LakeErrors.requireNotStopped(e);
      failed++;
      progress.printLine(session.incompleteLine(table + ": " + LakeErrors.line(e)));
    }
  }
}
