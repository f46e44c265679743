package org.kblake.lake.table;

import java.net.URI;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Locations on a local file system. */
public final class LocalFiles {

  private LocalFiles() {}

  /** Returns a location as a path of this host; null if it is elsewhere. */
  public static @Nullable Path path(String location) {
    if (location.startsWith("/")) {
      return Path.of(location);
    }
    return location.startsWith("file:/")
        ? Path.of(URI.create(location.replace(" ", "%20")).getPath())
        : null;
  }
}
