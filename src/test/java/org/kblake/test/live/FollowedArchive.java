package org.kblake.test.live;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.core.model.Group;
import org.kblake.ingest.internal.live.FollowService;
import org.kblake.ingest.internal.live.state.GroupState;
import org.kblake.test.fixture.volume.GuardedProvider;

/** The archive of a test. A service that follows it is stopped at the end of the test. */
abstract class FollowedArchive {

  @TempDir Path directory;

  FollowServiceFixture live;

  /** Volumes that may not respond. They respond again at the end, even if the test fails. */
  private final List<GuardedProvider> guarded = new ArrayList<>();

  @BeforeEach
  void makeEmptyArchive() throws IOException {
    live = new FollowServiceFixture(directory);
  }

  @AfterEach
  void stopService() throws IOException, InterruptedException {
    guarded.forEach(GuardedProvider::answer);
    live.stop();
  }

  /** Returns the archive's files on volumes that do not respond on request. */
  final GuardedProvider volumes() throws IOException {
    GuardedProvider volumes = new GuardedProvider(live.root);
    guarded.add(volumes);
    return volumes;
  }

  static GroupState state(FollowService following, Group group) {
    return following.groups().stream()
        .filter(state -> state.group().equals(group))
        .findFirst()
        .orElseThrow();
  }
}
