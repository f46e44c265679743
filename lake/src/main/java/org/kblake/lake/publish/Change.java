package org.kblake.lake.publish;

import java.util.List;
import org.apache.iceberg.DataFile;

/**
 * A change of a table that is one snapshot.
 *
 * @param removed data files whose rows the added ones have
 * @param added what becomes data files
 * @param sameSpans whether both are of the same spans of the log
 */
record Change(List<DataFile> removed, List<FileRows> added, boolean sameSpans) {}
