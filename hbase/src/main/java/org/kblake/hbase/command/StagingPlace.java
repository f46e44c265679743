package org.kblake.hbase.command;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.jspecify.annotations.Nullable;
import org.kblake.cli.error.UsageException;
import org.kblake.cli.frame.Session;

/** The directory for files until HBase takes them over. */
final class StagingPlace {

  private static final String USUAL = "/tmp/kblake-staging";

  private StagingPlace() {}

  /**
   * Returns the directory.
   *
   * @param wished the value of {@code --staging}: a path, or a URI
   * @throws UsageException if none is given, and the site's file system is unknown
   */
  static Path of(@Nullable String wished, Configuration configuration, Session session) {
    if (wished != null) {
      return wished.contains(":/")
          ? new Path(wished)
          : new Path(session.path(java.nio.file.Path.of(wished)).toAbsolutePath().toUri());
    }
    Path usual = new Path(FileSystem.getDefaultUri(configuration).toString(), USUAL);
    if ("file".equals(usual.toUri().getScheme())) {
      throw new UsageException(
          "name a directory that the region servers see: --staging PLACE, or --hbase-config DIR"
              + " with core-site.xml");
    }
    return usual;
  }
}
