package org.kblake.lake.publish;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import org.kblake.core.store.StoreReader;
import org.kblake.lake.fixture.LakeFixture;
import org.kblake.lake.table.LakeCatalog;

/** Publishes a store, with an action at each read. */
final class WatchedPublication implements PublishListener {

  /** What happens at a read, the first of which has number 1. */
  interface Action {
    void at(int read) throws Exception;
  }

  final List<String> problems = new ArrayList<>();
  final List<String> commits = new ArrayList<>();
  private final Action action;
  private int reads;

  private WatchedPublication(Action action) {
    this.action = action;
  }

  /** Publishes everything. */
  static WatchedPublication run(
      Path directory, LakeCatalog catalog, PublishLock lock, Action action)
      throws IOException, InterruptedException {
    WatchedPublication watched = new WatchedPublication(action);
    StoreReader store = StoreReader.open(directory);
    new Publisher(
            store,
            catalog,
            DataForm.ANY,
            LakeFixture.SOURCES,
            "test",
            lock,
            Clock.systemUTC(),
            watched)
        .run(store.groups().groups());
    return watched;
  }

  @Override
  public void read(long bytes) {
    reads++;
    try {
      action.at(reads);
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  @Override
  public void committed(String table, int added, int removed, long addedBytes) {
    commits.add(table);
  }

  @Override
  public void problem(String message) {
    problems.add(message);
  }
}
