package org.kblake.test.live.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.kblake.test.fixture.service.FollowServiceFixture.GROUP;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.core.internal.log.file.LocalDisks;
import org.kblake.core.log.LogWriter;
import org.kblake.test.fixture.KblakeProcess;
import org.kblake.test.fixture.Shell;
import org.kblake.test.fixture.service.FollowServiceFixture;

/** The limit of inotify watches is reached. The service reports this, and polls logs instead. */
final class WatchLimitTest {

  /** Waits for a line of the log, and prints a line after a timeout. */
  private static final String AWAIT =
      "await() { for i in $(seq 900); do grep -q \"$1\" log && return; sleep 0.1; done;"
          + " echo never: $1; };";

  @TempDir private Path directory;

  private Shell shell;

  /** A user without privileges can lower the limit in a user name space. */
  @BeforeEach
  void requireLimits() throws Exception {
    shell = new Shell(directory);
    assumeThat(new LocalDisks().isLocal(directory)).as("a local disk").isTrue();
    assumeThat(shell.run("unshare -r sh -c 'echo 0 > /proc/sys/user/max_inotify_watches'").status())
        .as("needs user name spaces")
        .isZero();
  }

  /**
   * Runs a process with a limit and returns its log.
   *
   * @param whenSealed commands to run after sealing, with {@code await} for lines of the log
   */
  private String log(String limit, String whenSealed) throws Exception {
    FollowServiceFixture archive = new FollowServiceFixture(directory);
    try (LogWriter writer = archive.pair(GROUP, 0)) {
      archive.segment(writer, 0, 100);
      archive.segment(writer, 60, 100);
      Files.writeString(directory.resolve("kblake.toml"), FollowServiceFixture.EAGER_SETTINGS);
      Shell.Result result =
          shell.run(
              "unshare -r bash -c "
                  + Shell.quoted(
                      KblakeProcess.backgroundFunction()
                          + AWAIT
                          + " echo 0 > /proc/sys/user/"
                          + limit
                          + "; background run 2> log &"
                          + " await 'changes are not reported'; await sealed; "
                          + whenSealed
                          + " kill $!; wait"));
      String log = Files.readString(directory.resolve("log"));
      assertThat(result.out()).as(log + result.err()).isEmpty();
      return log;
    }
  }

  private static String problem(String log) {
    return log.lines()
        .filter(line -> line.contains("changes are not reported"))
        .findFirst()
        .orElse("");
  }

  @Test
  void pollingContinuesWithoutWatches() throws Exception {
    String log =
        log(
            "max_inotify_watches",
            "echo 9999 > /proc/sys/user/max_inotify_watches; await 'problem is over';");
    assertThat(problem(log))
        .contains(
            "directory=" + directory.resolve("archive").resolve("VA"),
            "raise fs.inotify.max_user_watches");
  }

  @Test
  void pollingContinuesIfNothingCanBeWatched() throws Exception {
    assertThat(problem(log("max_inotify_instances", "")))
        .contains("raise fs.inotify.max_user_instances");
  }
}
