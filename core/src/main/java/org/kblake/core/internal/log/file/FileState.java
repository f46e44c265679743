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
 * The attributes of a file at one moment. A change of the file shows in them, without reading the
 * file.
 *
 * @param bytes the size; -1 if the attributes could not be read
 * @param modified the time of the last modification
 * @param key the identity of the file, which differs from that of another file with the same name;
 *     null if the file system has no such identity
 */
public record FileState(long bytes, FileTime modified, @Nullable Object key) {

  public static final FileState MISSING = new FileState(-1, FileTime.fromMillis(0), null);

  /** Reads the attributes of a file. Links are followed. */
  public static FileState of(Path file) throws IOException {
    return of(Files.readAttributes(file, BasicFileAttributes.class));
  }

  public static FileState of(BasicFileAttributes attributes) {
    return new FileState(attributes.size(), attributes.lastModifiedTime(), attributes.fileKey());
  }

  /**
   * Reads the attributes of a file as {@link #of(Path)} does. Returns {@link #MISSING} if they
   * cannot be read.
   */
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

  /**
   * Returns whether the last modification is at least {@code nanos} nanoseconds before a moment.
   */
  public boolean isUnchangedFor(long nanos, Instant moment) {
    return !modified.toInstant().isAfter(moment.minusNanos(nanos));
  }

  /** Not generated: linking a record's generated method takes some milliseconds at a start. */
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
