package org.kblake.test.live.service;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import org.kblake.core.internal.log.archive.Archive;
import org.kblake.core.internal.store.Store;
import org.kblake.core.model.Group;
import org.kblake.ingest.internal.live.group.FollowContext;
import org.kblake.ingest.internal.live.group.GroupWork;
import org.kblake.ingest.internal.live.state.BudgetHeadroom;
import org.kblake.ingest.internal.live.state.CacheSettings;
import org.kblake.ingest.internal.live.state.Counters;
import org.kblake.ingest.internal.live.state.EvictedSpans;
import org.kblake.ingest.internal.live.state.FollowListener;
import org.kblake.ingest.internal.live.state.FollowSettings;
import org.kblake.ingest.internal.live.state.Problems;
import org.kblake.ingest.internal.transcode.Transcoder;
import org.kblake.test.fixture.TestStores;
import org.kblake.test.fixture.UnforcedFiles;
import org.kblake.test.fixture.service.FollowServiceFixture;

/** The work on one group without the threads of a service. Its blocks are not compared again. */
final class GroupWorkFixture implements Closeable {

  final Problems problems;
  final Store store;
  final GroupWork work;
  private final Transcoder transcoder;

  /**
   * @param archive the archive as the work sees it
   * @param storePath the store as the work sees it
   */
  GroupWorkFixture(FollowServiceFixture live, Archive archive, Path storePath, Group group)
      throws IOException {
    FollowSettings settings = FollowServiceFixture.undisturbed(1, CacheSettings.EVERYTHING);
    Counters counters = new Counters();
    problems = new Problems(FollowListener.NONE, counters);
    store = Store.openForWriting(storePath, TestStores.identity(live.archive), new UnforcedFiles());
    transcoder =
        new Transcoder(
            store,
            settings.profile(),
            new Transcoder.Limits(1, settings.threads(), settings.memoryBytes()));
    work =
        new GroupWork(
            new FollowContext(
                archive,
                store,
                settings,
                transcoder,
                new EvictedSpans(store.directory()),
                new BudgetHeadroom(false),
                counters,
                problems,
                FollowListener.NONE,
                Clock.systemUTC()),
            group);
  }

  @Override
  public void close() throws IOException {
    transcoder.close();
    store.close();
  }
}
