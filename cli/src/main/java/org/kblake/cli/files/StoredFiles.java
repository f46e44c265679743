package org.kblake.cli.files;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.kblake.core.columns.CorruptBlockException;
import org.kblake.core.internal.store.Store;
import org.kblake.core.internal.store.block.Block;
import org.kblake.core.model.Group;
import org.kblake.ingest.internal.image.BlockCheck;

/**
 * The Parquet files of a group's blocks in use. These blocks share no byte of the log, so together
 * the files have every event of the store once.
 *
 * @param group the group
 * @param inLogOrder the absolute paths in log order
 */
public record StoredFiles(Group group, List<Path> inLogOrder) {

  private static final String ENDING = ".parquet";

  public StoredFiles {
    inLogOrder = List.copyOf(inLogOrder);
  }

  /**
   * Lists a group's files.
   *
   * @param problems gets a line on each damaged block; none of its files is listed
   */
  public static StoredFiles of(Store store, Group group, Consumer<String> problems)
      throws IOException {
    List<String> first = new ArrayList<>();
    StoredFiles files = list(store, group, first);
    if (first.isEmpty()) {
      return files;
    }
    // A writer may have replaced a block during the listing. Damage is still found the second time.
    List<String> second = new ArrayList<>();
    files = list(store, group, second);
    second.forEach(problems);
    return files;
  }

  private static StoredFiles list(Store store, Group group, List<String> problems)
      throws IOException {
    List<Path> files = new ArrayList<>();
    for (Block block : blocks(store, group, problems)) {
      try {
        for (Path file : block.chunks().files()) {
          files.add(file.toAbsolutePath().normalize());
        }
      } catch (CorruptBlockException e) {
        problems.add(String.valueOf(e.getMessage()));
      }
    }
    return new StoredFiles(group, files);
  }

  private static List<Block> blocks(Store store, Group group, List<String> problems)
      throws IOException {
    try {
      return store.blocks(group, e -> problems.add(String.valueOf(e.getMessage())));
    } catch (IOException e) {
      problems.add(group + ": " + BlockCheck.unreadable(e));
      return List.of();
    }
  }

  /**
   * Returns the files by kind. A kind is a value type's name, with {@code -waveform} for waveforms.
   * The files of a kind are in log order.
   */
  public Map<String, List<Path>> byKind() {
    Map<String, List<Path>> kinds = new LinkedHashMap<>();
    for (Path file : inLogOrder) {
      String name = String.valueOf(file.getFileName());
      String kind = name.substring(0, name.length() - ENDING.length());
      kinds.computeIfAbsent(kind, absent -> new ArrayList<>()).add(file);
    }
    return kinds;
  }
}
