package org.kblake.test.live.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.kblake.test.fixture.kblog.KblogProcess;
import org.kblake.test.fixture.volume.RemoteFileSystem;
import org.kblake.test.fixture.volume.RemoteFileSystem.Cache;

/**
 * Runs {@link FollowServiceKillTest} over a file system that shows sizes before bytes. Its cache,
 * not a writer, causes the zeros at the end of files.
 */
@Tag("faults")
@Timeout(value = 5, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class FollowServiceKillOverRemoteFilesTest extends FollowServiceKillTest {

  /**
   * The time after which bytes are shown. It is less than the time that {@link
   * KblogProcess.View#settings} waits.
   */
  private static final Duration SETTLE = Duration.ofMillis(1_500);

  private @Nullable RemoteFileSystem files;

  @Override
  void mount(Path archive) throws IOException {
    Path truth = Files.createDirectories(KblogProcess.truth(directory));
    RemoteFileSystem mounted = RemoteFileSystem.mount(truth, archive, Cache.DIRECT);
    files = mounted;
    mounted.settleAfter(SETTLE);
  }

  @Override
  List<String> moreForWriter() {
    return List.of(KblogProcess.ONLY_LOCAL);
  }

  @Override
  @AfterEach
  void endProcesses() throws InterruptedException, IOException {
    super.endProcesses();
    if (files != null) {
      files.close();
    }
  }
}
