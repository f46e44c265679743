package org.kblake.ingest.internal.live.group;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import org.jspecify.annotations.Nullable;

/**
 * What tells without reading it that a file has changed.
 *
 * @param bytes its size; -1 if it cannot be looked at
 * @param modified its time of modification
 * @param key what it is on its file system, so that a link that leads elsewhere is noticed
 */
public record FileFacts(long bytes, FileTime modified, @Nullable Object key) {

  public static final FileFacts MISSING = new FileFacts(-1, FileTime.fromMillis(0), null);

  /** Looks at a file through links. */
  public static FileFacts of(Path file) {
    try {
      BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
      return new FileFacts(
          attributes.size(), attributes.lastModifiedTime(), String.valueOf(attributes.fileKey()));
    } catch (IOException e) {
      return MISSING;
    }
  }

  public boolean missing() {
    return bytes < 0;
  }
}
