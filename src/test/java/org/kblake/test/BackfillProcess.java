package org.kblake.test;

import java.nio.file.Path;
import java.util.List;
import org.kblake.core.log.Archive;
import org.kblake.core.log.ArchiveSettings;
import org.kblake.core.store.StoreFiles;

/** A backfill in a process of its own, to be killed. */
final class BackfillProcess {

  private BackfillProcess() {}

  /**
   * @param args archive, store
   */
  public static void main(String[] args) throws Exception {
    Archive archive = Archive.open(Path.of(args[0]), ArchiveSettings.defaults());
    TestStores.backfillInThreeSteps(archive, Path.of(args[1]), StoreFiles.LOCAL);
  }

  static Process start(Path archive, Path store) throws Exception {
    List<String> command = ChildJvm.command(BackfillProcess.class, List.of());
    command.add(archive.toString());
    command.add(store.toString());
    return new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
        .start();
  }
}
