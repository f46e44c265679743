package org.kblake.record.group;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.kblake.core.archive.ArchiveSettings;
import org.kblake.record.log.DiskThreads;
import org.kblake.record.log.LogFiles;
import org.kblake.record.log.LogSettings;
import org.kblake.record.log.LogTiming;
import org.kblake.record.log.SyncPolicy;

final class FileQueueTest {

  private final SetClock clock = new SetClock();

  /** A fault of one must not keep the others from being done for ever. */
  @Test
  void workGoesOnAfterAFault() {
    LogSettings log =
        new LogSettings(
            Path.of("none"),
            ArchiveSettings.defaults(),
            LogTiming.DEFAULT,
            SyncPolicy.NONE,
            Integer.MAX_VALUE);
    GroupTasks tasks =
        new GroupTasks(
            new DiskThreads(Runnable::run, 0),
            new RecorderSettings(log, TimeRule.RECEPTION, 1 << 20, LogFiles.DISK, clock));
    FileQueue files = new FileQueue(tasks, clock);
    List<String> ends = new ArrayList<>();
    files.add(
        () -> {
          throw new IllegalStateException("fault");
        },
        () -> ends.add("first"));
    files.add(() -> {}, () -> ends.add("second"));
    assertThatThrownBy(files::turn).hasMessage("fault"); // here its thread is this one
    tasks.takeEnds();
    files.turn();
    tasks.takeEnds();
    assertThat(ends).containsExactly("first", "second");
    assertThat(files.isBusy()).isFalse();
  }
}
