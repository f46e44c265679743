package org.kblake.core.internal.log.file;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A file as it was seen: what tells, without reading the file, that it has changed.
 *
 * @param bytes its size; -1 if it could not be looked at
 * @param modified when it was modified last
 * @param key what identifies it, so that another file under its name is noticed; null where the
 *     file system has no such thing
 */
public record FileState(long bytes, FileTime modified, @Nullable Object key) {

  public static final FileState MISSING = new FileState(-1, FileTime.fromMillis(0), null);

  /** Looks at a file; links are followed. */
  public static FileState of(Path file) throws IOException {
    return of(Files.readAttributes(file, BasicFileAttributes.class));
  }

  public static FileState of(BasicFileAttributes attributes) {
    return new FileState(attributes.size(), attributes.lastModifiedTime(), attributes.fileKey());
  }

  /** As {@link #of(Path)}, {@link #MISSING} if the file cannot be looked at. */
  public static FileState ofOrMissing(Path file) {
    try {
      return of(file);
    } catch (IOException e) {
      return MISSING;
    }
  }

  public boolean missing() {
    return bytes < 0;
  }

  /** Whether it was modified last so long before a moment, or earlier. */
  public boolean isUnchangedFor(long nanos, Instant moment) {
    return !modified.toInstant().isAfter(moment.minusNanos(nanos));
  }

  /** Written out: a record's own takes a process that begins some milliseconds to be linked. */
  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof FileState state
        && bytes == state.bytes
        && modified.equals(state.modified)
        && Objects.equals(key, state.key);
  }

  @Override
  public int hashCode() {
    return 31 * Long.hashCode(bytes) + modified.hashCode();
  }
}
