package org.kblake.lake.publish;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.iceberg.DataFile;
import org.jspecify.annotations.Nullable;
import org.kblake.core.log.Coverage;
import org.kblake.core.log.LogSpan;
import org.kblake.core.store.StoredBlock;
import org.kblake.lake.table.DataName;
import org.kblake.lake.table.LakeTable;

/**
 * What a table lacks of a group's blocks. Blocks and data files that share bytes of the log belong
 * together:
 *
 * <ul>
 *   <li>The blocks have all bytes of the files: they replace them, for example after a merge.
 *   <li>The files have all bytes of the blocks: nothing is to be done. The blocks have spans of one
 *       that was evicted.
 *   <li>Otherwise the spans of the blocks that no file has are added.
 * </ul>
 *
 * A file whose block was evicted stays.
 */
public final class ChangePlan {

  /** Data files and blocks that belong together. */
  private static final class Together {
    private final List<Published> files = new ArrayList<>();
    private final List<StoredBlock> blocks = new ArrayList<>();
  }

  /**
   * A data file whose block is not in the store.
   *
   * @param spans the spans of the log whose rows it has
   */
  private record Published(DataFile file, DataName name, List<LogSpan> spans) {

    boolean meets(StoredBlock block) {
      for (LogSpan mine : spans) {
        for (LogSpan other : block.spans()) {
          if (mine.meets(other)) {
            return true;
          }
        }
      }
      return false;
    }
  }

  private ChangePlan() {}

  /** Returns the number of a group's blocks with rows that a table lacks. */
  public static int lacking(LakeTable table, List<DataFile> live, List<StoredBlock> blocks)
      throws IOException {
    int count = 0;
    for (Change change : of(table, live, blocks)) {
      for (FileRows fileRows : change.added()) {
        Path file = fileRows.block().directory().resolve(table.kind().fileName());
        count += Files.exists(file) ? 1 : 0;
      }
    }
    return count;
  }

  /**
   * Plans the changes of a table.
   *
   * @param live the table's data files
   * @param blocks the group's blocks in use, which share no byte of the log
   */
  static List<Change> of(LakeTable table, List<DataFile> live, List<StoredBlock> blocks)
      throws IOException {
    List<StoredBlock> missing = new ArrayList<>();
    List<DataFile> unknown = new ArrayList<>();
    split(live, blocks, unknown, missing);
    List<Together> components = new ArrayList<>();
    for (StoredBlock block : missing) {
      Together alone = new Together();
      alone.blocks.add(block);
      components.add(alone);
    }
    for (DataFile file : unknown) {
      join(table, file, components);
    }
    List<Change> changes = new ArrayList<>();
    for (Together each : components) {
      Change change = change(each);
      if (change != null) {
        changes.add(change);
      }
    }
    return changes;
  }

  /** Finds the blocks that the table lacks, and the files whose blocks the store lacks. */
  private static void split(
      List<DataFile> live,
      List<StoredBlock> blocks,
      List<DataFile> unknown,
      List<StoredBlock> missing) {
    Map<String, DataName> names = new HashMap<>();
    Set<String> known = new HashSet<>();
    for (DataFile file : live) {
      DataName name = DataName.parse(file.location());
      if (name != null) {
        names.put(file.location(), name);
        known.add(name.block());
      }
    }
    Set<String> present = new HashSet<>();
    for (StoredBlock block : blocks) {
      present.add(DataName.block(block));
      if (!known.contains(DataName.block(block))) {
        missing.add(block);
      }
    }
    for (DataFile file : live) {
      DataName name = names.get(file.location());
      if (name != null && !present.contains(name.block())) {
        unknown.add(file);
      }
    }
  }

  /** Adds a file to the blocks that it shares bytes with, which then belong together. */
  private static void join(LakeTable table, DataFile file, List<Together> components)
      throws IOException {
    DataName name = DataName.parse(file.location());
    if (name == null) {
      return;
    }
    Published published = null;
    Together joined = null;
    for (int i = 0; i < components.size(); i++) {
      Together each = components.get(i);
      for (StoredBlock block : each.blocks) {
        if (!name.mayMeet(block)) {
          continue;
        }
        if (published == null) {
          published = new Published(file, name, table.provenance(file.location()).logSpans());
        }
        if (!published.meets(block)) {
          continue;
        }
        if (joined == null) {
          joined = each;
          joined.files.add(published);
        } else {
          joined.files.addAll(each.files);
          joined.blocks.addAll(each.blocks);
          components.remove(i--);
        }
        break;
      }
    }
  }

  private static @Nullable Change change(Together together) {
    List<LogSpan> ofFiles = new ArrayList<>();
    together.files.forEach(file -> ofFiles.addAll(file.spans));
    List<LogSpan> ofBlocks = new ArrayList<>();
    together.blocks.forEach(block -> ofBlocks.addAll(block.spans()));
    Coverage files = new Coverage(ofFiles);
    boolean filesHaveAll = holds(files, ofBlocks);
    if (holds(new Coverage(ofBlocks), ofFiles)) {
      return new Change(
          together.files.stream().map(Published::file).toList(),
          together.blocks.stream().map(block -> new FileRows(block, null)).toList(),
          filesHaveAll);
    }
    if (filesHaveAll) {
      return null;
    }
    List<FileRows> rowsOfBlocks = new ArrayList<>();
    for (StoredBlock block : together.blocks) {
      List<LogSpan> lacking = lacking(files, block.spans());
      if (!lacking.isEmpty()) {
        rowsOfBlocks.add(new FileRows(block, lacking.equals(block.spans()) ? null : lacking));
      }
    }
    return new Change(List.of(), rowsOfBlocks, false);
  }

  private static boolean holds(Coverage coverage, List<LogSpan> spans) {
    return spans.stream()
        .allMatch(each -> coverage.holds(each.stamp(), each.fromOffset(), each.toOffset()));
  }

  /** Returns the spans that a coverage lacks. */
  private static List<LogSpan> lacking(Coverage coverage, List<LogSpan> spans) {
    List<LogSpan> lacking = new ArrayList<>();
    spans.forEach(each -> lacking.addAll(coverage.lacking(each)));
    return lacking;
  }
}
