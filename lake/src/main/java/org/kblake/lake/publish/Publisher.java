package org.kblake.lake.publish;

import java.io.IOException;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.kblake.core.model.Group;
import org.kblake.core.store.StoreReader;
import org.kblake.core.store.StoredBlock;
import org.kblake.lake.facts.FactSources;
import org.kblake.lake.table.LakeCatalog;
import org.kblake.lake.table.LakeTable;

/** Publishes the blocks of a store. The caller has the lock of the location. */
public final class Publisher {

  private final GroupPublisher groups;
  private final RollupPublisher rollups;
  private final FactPublisher facts;
  private final PublishListener listener;
  private final LocationOwner owner;
  private boolean allowed;
  private final LakeCatalog catalog;
  private final PublishLock lock;
  private final InstantSource clock;
  private final Set<Group> published = new TreeSet<>();

  /**
   * @param catalog not closed here
   * @param form what data files must have
   * @param sources what blocks do not say of their groups
   * @param version the version of kblake, for summaries of snapshots
   * @param lock the lock of the location; not released here
   * @param clock tells the ages of snapshots
   */
  public Publisher(
      StoreReader store,
      LakeCatalog catalog,
      DataForm form,
      FactSources sources,
      String version,
      PublishLock lock,
      InstantSource clock,
      PublishListener listener) {
    this.listener = listener;
    owner = new LocationOwner(catalog, store.archive());
    this.catalog = catalog;
    this.lock = lock;
    this.clock = clock;
    groups =
        new GroupPublisher(
            store,
            catalog,
            owner,
            new FileTransfer(store.archive(), form, listener::read),
            listener,
            version,
            lock);
    rollups = new RollupPublisher(store, catalog, listener, version, lock);
    facts = new FactPublisher(store, catalog, sources, listener, version, lock);
  }

  /**
   * Publishes groups, one after the other. A group that cannot be published does not prevent
   * others.
   *
   * @throws IOException if the location belongs to another archive; nothing was changed
   * @throws InterruptedException if the calling thread is interrupted; committed snapshots stay
   */
  public void run(List<Group> chosen) throws IOException, InterruptedException {
    if (!allowed) {
      owner.require();
      allowed = true;
    }
    for (Group group : chosen) {
      try {
        List<StoredBlock> blocks = groups.run(group);
        rollups.add(group, blocks);
        facts.add(group, blocks);
        published.add(group);
      } catch (IOException | RuntimeException e) {
        LakeErrors.requireNotStopped(e);
        listener.problem(group + ": " + LakeErrors.line(e));
      }
    }
  }

  /**
   * Publishes the rollups, the coverage and the channels of the groups so far. Readers then see the
   * values that channels hold up to there. Tables of many snapshots forget old ones.
   *
   * @throws InterruptedException if the calling thread is interrupted; the next run continues
   */
  public void finish() throws InterruptedException {
    finish("rollup", rollups::run);
    finish("coverage", facts::run);
    for (Group group : published) {
      finish(group.toString(), () -> bound(catalog.tables(group)));
    }
    finish("tables of all groups", () -> bound(catalog.siteTables()));
    published.clear();
  }

  private void bound(List<LakeTable> tables) throws IOException, InterruptedException {
    for (LakeTable table : tables) {
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
      TableDrop.bound(table, lock, clock.instant());
    }
  }

  @FunctionalInterface
  private interface Work {
    void run() throws IOException, InterruptedException;
  }

  private void finish(String what, Work work) throws InterruptedException {
    try {
      work.run();
    } catch (IOException | RuntimeException e) {
      LakeErrors.requireNotStopped(e);
      listener.problem(what + ": " + LakeErrors.line(e));
    }
  }
}
