package org.kblake.lake.table;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Locations on a local file system. */
public final class LocalFiles {

  private static final String SCHEME = "file:";

  private LocalFiles() {}

  /** Returns a location as a path of this host; null if it is elsewhere. */
  public static @Nullable Path path(String location) {
    if (location.startsWith("/")) {
      return Path.of(location);
    }
    if (!location.regionMatches(true, 0, SCHEME, 0, SCHEME.length())) {
      return null;
    }
    // As Hadoop reads it: a percent sign is one.
    String path = location.substring(SCHEME.length());
    return Path.of(path.startsWith("//") ? path.replaceFirst("//[^/]*", "") : path).normalize();
  }
}
