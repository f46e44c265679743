package org.kblake.record.group;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeSet;
import org.kblake.core.layout.IndexInput;
import org.kblake.core.layout.LogLayout;
import org.kblake.core.layout.RecordEntry;
import org.kblake.core.log.PairName;
import org.kblake.core.model.Group;
import org.kblake.record.log.PairDirectories;

/** The types of records in the newest pair whose index can be read. */
final class LastTypes {

  private LastTypes() {}

  /**
   * Returns the types by the records' names; empty if no index can be read. They are only a guess.
   * So an index that a crash left without records, that is damaged, or on a volume that is away
   * changes nothing, and the one before it will do.
   *
   * @param directories has the names of pairs
   * @param root the archive's root
   * @param layouts the layouts that its pairs may have
   */
  static Map<String, RecordedType> read(
      PairDirectories directories, Path root, List<LogLayout> layouts, Group group) {
    Path directory = root.resolve(group.system());
    for (PairName name : pairs(directories, directory, group).descendingSet()) {
      try {
        Map<String, RecordedType> types = types(directory.resolve(name.indexFile()), layouts);
        if (!types.isEmpty()) {
          return types;
        }
      } catch (IOException e) {
        // The index before it will do.
      }
    }
    return Map.of();
  }

  private static NavigableSet<PairName> pairs(
      PairDirectories directories, Path directory, Group group) {
    try {
      return directories.pairs(directory, group.name());
    } catch (IOException e) {
      return new TreeSet<>();
    }
  }

  private static Map<String, RecordedType> types(Path index, List<LogLayout> layouts)
      throws IOException {
    ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(index));
    for (LogLayout layout : layouts) {
      ByteOrder order = bytes.limit() < layout.magicBytes() ? null : layout.recognise(bytes);
      if (order != null) {
        return types(layout, new IndexInput(index, bytes.order(order), null));
      }
    }
    return Map.of();
  }

  private static Map<String, RecordedType> types(LogLayout layout, IndexInput in)
      throws IOException {
    Map<String, RecordedType> types = new HashMap<>();
    int records = layout.readHeader(in).recordCount();
    for (int i = 0; i < records; i++) {
      RecordEntry record = layout.readRecord(in);
      types.put(record.name(), new RecordedType(record.type(), Math.max(1, record.elementCount())));
    }
    return types;
  }
}
