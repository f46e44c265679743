package org.kblake.record.group;

import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.kblake.core.archive.ArchiveSettings;
import org.kblake.core.internal.log.archive.Archive;
import org.kblake.core.internal.log.pair.Pair;
import org.kblake.core.layout.RecordEntry;
import org.kblake.core.model.Group;

/** The types of records in the newest pair that can be read. */
final class LastTypes {

  private LastTypes() {}

  /** Returns the types by the records' names; empty if no pair can be read. */
  static Map<String, RecordedType> read(Path root, ArchiveSettings settings, Group group) {
    Map<String, RecordedType> types = new HashMap<>();
    try {
      List<Pair> pairs = Archive.open(root, settings).pairs(group);
      for (int i = pairs.size() - 1; i >= 0 && types.isEmpty(); i--) {
        add(pairs.get(i), types);
      }
    } catch (IOException e) {
      return Map.of();
    }
    return types;
  }

  private static void add(Pair pair, Map<String, RecordedType> types) {
    try {
      for (RecordEntry record : pair.open().records().entries()) {
        types.put(record.name(), new RecordedType(record.type(), record.elementCount()));
      }
    } catch (IOException e) {
      // A pair that a crash left without an index, or on a volume that is away. Its types are only
      // a guess, so the pair before it will do.
    }
  }
}
