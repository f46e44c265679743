package org.kblake.lake.publish;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import org.kblake.core.model.Group;
import org.kblake.core.store.StoreReader;
import org.kblake.core.store.StoredBlock;
import org.kblake.lake.table.TableKind;

/** The size of the files that tables may have of a store. */
public final class StoreSize {

  private StoreSize() {}

  /**
   * Returns the bytes of the files of events of groups. Blocks that cannot be read count nothing.
   */
  public static long of(StoreReader store, List<Group> groups) throws IOException {
    List<String> names = TableKind.all().stream().map(TableKind::fileName).toList();
    long bytes = 0;
    for (Group group : groups) {
      for (StoredBlock block : store.blocks(group, damaged -> {})) {
        bytes += of(block, names);
      }
    }
    return bytes;
  }

  private static long of(StoredBlock block, List<String> names) throws IOException {
    long bytes = 0;
    try (DirectoryStream<Path> files = Files.newDirectoryStream(block.directory())) {
      for (Path file : files) {
        if (names.contains(String.valueOf(file.getFileName()))) {
          bytes += Files.size(file);
        }
      }
    } catch (NoSuchFileException e) {
      // The block was merged or evicted meanwhile.
    }
    return bytes;
  }
}
