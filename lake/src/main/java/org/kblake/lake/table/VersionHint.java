package org.kblake.lake.table;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.iceberg.HasTableOperations;
import org.apache.iceberg.ReachableFileUtil;
import org.apache.iceberg.Table;
import org.apache.iceberg.io.FileIO;
import org.jspecify.annotations.Nullable;

/**
 * The file that names the present version of a table of the Hadoop catalog, for readers without a
 * catalog. Iceberg writes it after the commit. A kill between both leaves the version before.
 */
final class VersionHint {

  /** The name of a metadata file of the Hadoop catalog. Other catalogs have other names. */
  private static final Pattern METADATA = Pattern.compile("/v(\\d+)\\.metadata\\.json$");

  private static final int MAX_DIGITS = 20;

  private VersionHint() {}

  /** Returns the present version of a table of the Hadoop catalog, and null for other catalogs. */
  static @Nullable String version(Table table) {
    if (!(table instanceof HasTableOperations operations)) {
      return null;
    }
    Matcher present = METADATA.matcher(operations.operations().current().metadataFileLocation());
    return present.find() ? present.group(1) : null;
  }

  /**
   * Replaces the file if it names another version than the present one, or is missing. A reader
   * finds one of both versions, or on HDFS none for a moment, as when Iceberg writes it.
   */
  static void mend(Table table, Configuration hadoop) throws IOException {
    String version = version(table);
    if (version == null) {
      return;
    }
    FileIO io = table.io();
    String hint = ReachableFileUtil.versionHintLocation(table);
    if (!version.equals(read(io, hint))) {
      Path file = new Path(hint);
      Path written = new Path(file.getParent(), UUID.randomUUID() + "-" + file.getName());
      try (OutputStream out = io.newOutputFile(written.toString()).create()) {
        out.write(version.getBytes(StandardCharsets.UTF_8));
      }
      FileSystem files = file.getFileSystem(hadoop);
      files.delete(file, false);
      if (!files.rename(written, file)) {
        throw new IOException("file cannot be renamed: file=" + written + ", new name=" + file);
      }
    }
  }

  private static String read(FileIO io, String hint) throws IOException {
    if (!io.newInputFile(hint).exists()) {
      return "";
    }
    try (InputStream in = io.newInputFile(hint).newStream()) {
      return new String(in.readNBytes(MAX_DIGITS), StandardCharsets.UTF_8).strip();
    }
  }
}
