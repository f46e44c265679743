package org.kblake.core.internal.store;

import java.io.IOException;
import java.io.StringReader;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Properties;
import org.kblake.core.internal.store.file.StoreException;
import org.kblake.core.internal.store.file.StoreFiles;

/**
 * The archive and settings that a store belongs to: the file {@code kblake-store.properties} in its
 * root, plain text, one {@code name=value} per line.
 *
 * @param formatVersion the version of the store's format
 * @param oldestReader the oldest format version whose readers can read it
 * @param archive the archive's root when the store was made, absolute, links not followed
 * @param zone the archive's time zone
 * @param disorderBoundNanos the largest difference by which an event may be earlier than events
 *     written before it; strays depend on it
 * @param layout the log layout's name
 * @param profile {@code standard} or {@code lake}
 */
public record StoreIdentity(
    int formatVersion,
    int oldestReader,
    String archive,
    String zone,
    long disorderBoundNanos,
    String layout,
    String profile) {

  /** The newest format that this code reads. New stores for Spark and Apache Iceberg have it. */
  public static final int FORMAT_VERSION = 2;

  /** The oldest format that this code reads. */
  public static final int OLDEST_READABLE = 1;

  private static final String LAKE = "lake";

  static final String FILE_NAME = "kblake-store.properties";

  private static final int LARGEST_FILE_BYTES = 1 << 16;

  /** Returns the identity of a new store. */
  public static StoreIdentity of(
      Path archive, String zone, long disorderBoundNanos, String layout, String profile) {
    int format = profile.equals(LAKE) ? FORMAT_VERSION : OLDEST_READABLE;
    return new StoreIdentity(
        format,
        format,
        archive.toAbsolutePath().normalize().toString(),
        zone,
        disorderBoundNanos,
        layout,
        profile);
  }

  /**
   * Requires that a directory is still a store. A process that runs for a long time calls it before
   * it makes files there: the disk may be away, or an empty one may be in its place, which must
   * stay empty for a new store.
   *
   * @throws NoSuchFileException if there is no identity
   */
  public static void requireIn(Path directory) throws NoSuchFileException {
    Path file = directory.resolve(FILE_NAME);
    if (Files.notExists(file)) {
      throw new NoSuchFileException(file.toString());
    }
  }

  /**
   * Reads a store's identity.
   *
   * @throws StoreException.Missing if the directory has no identity file
   * @throws StoreException if only a newer kblake can read the format, if this one does not read it
   *     any more, or if the file is damaged
   */
  public static StoreIdentity read(Path directory) throws IOException {
    Path file = directory.resolve(FILE_NAME);
    Properties properties = new Properties();
    try {
      long size = Files.size(file);
      if (size > LARGEST_FILE_BYTES) {
        throw damaged(file, "found=" + size + " bytes, expected=a few lines of name=value");
      }
      properties.load(new StringReader(Files.readString(file)));
    } catch (NoSuchFileException e) {
      throw new StoreException.Missing(
          "not a store: directory="
              + directory
              + ", missing="
              + FILE_NAME
              + "; make one with kblake backfill");
    } catch (CharacterCodingException | IllegalArgumentException e) {
      throw damaged(file, "found=" + e.getMessage() + ", expected=lines of name=value");
    }
    int format = (int) number(properties, file, "format");
    int oldestReader = (int) number(properties, file, "oldest-reader");
    if (oldestReader > FORMAT_VERSION) {
      throw new StoreException(
          "store needs a newer kblake: file="
              + file
              + ", format="
              + format
              + ", oldest-reader="
              + oldestReader
              + ", this kblake reads formats "
              + OLDEST_READABLE
              + " to "
              + FORMAT_VERSION);
    }
    if (format < OLDEST_READABLE) {
      throw new StoreException(
          "store is too old for this kblake: file="
              + file
              + ", format="
              + format
              + ", this kblake reads formats from "
              + OLDEST_READABLE
              + "; make the store again with kblake backfill");
    }
    return new StoreIdentity(
        format,
        oldestReader,
        text(properties, file, "archive"),
        text(properties, file, "zone"),
        number(properties, file, "disorder-bound-nanos"),
        text(properties, file, "layout"),
        text(properties, file, "profile"));
  }

  private static String text(Properties properties, Path file, String name) throws IOException {
    String value = properties.getProperty(name);
    if (value == null || value.isEmpty()) {
      throw damaged(file, "missing=" + name);
    }
    return value;
  }

  private static long number(Properties properties, Path file, String name) throws IOException {
    String value = text(properties, file, name);
    try {
      long number = Long.parseLong(value.trim());
      if (number >= 0) {
        return number;
      }
    } catch (NumberFormatException e) {
      // The exception below contains the value.
    }
    throw damaged(file, "found=" + name + "=" + value + ", expected=a whole number");
  }

  private static StoreException damaged(Path file, String what) {
    return new StoreException(
        "store identity is damaged: file="
            + file
            + ", "
            + what
            + "; restore it from a copy, or from a new store of the same archive and profile: no"
            + " block depends on it");
  }

  /** Writes the identity of a new store. The file appears complete or not at all. */
  void write(StoreFiles files, Path directory) throws IOException {
    Path temporary = directory.resolve(FILE_NAME + ".new");
    Files.deleteIfExists(temporary);
    try (StoreFiles.Output output = files.create(temporary)) {
      output.write(ByteBuffer.wrap(asText().getBytes(StandardCharsets.UTF_8)));
      output.force();
    }
    files.rename(temporary, directory.resolve(FILE_NAME));
    files.forceDirectory(directory);
  }

  private String asText() {
    return """
    # A store of kblake: columns made from a KEKBLog archive. See docs/store-format.md.
    format=%d
    oldest-reader=%d
    archive=%s
    zone=%s
    disorder-bound-nanos=%d
    layout=%s
    profile=%s
    """
        .formatted(
            formatVersion,
            oldestReader,
            escape(archive),
            zone,
            disorderBoundNanos,
            escape(layout),
            profile);
  }

  private static String escape(String text) {
    return text.replace("\\", "\\\\").replace("\n", "\\n");
  }

  /**
   * Checks that this store belongs to the requested archive and settings. An archive with another
   * path is compared by its content.
   *
   * @param writing whether blocks may be added to the store
   * @throws StoreException.Mismatch with the first difference and how to correct it
   */
  void check(StoreIdentity asked, Store store, boolean writing) throws IOException {
    Path directory = store.directory();
    if (!archive.equals(asked.archive)
        && !new ArchiveComparison(store, Path.of(asked.archive), writing).isSame()) {
      requireEqual(
          directory,
          "archive",
          archive,
          asked.archive,
          "name the right store or archive; if the archive was moved, correct the line archive= in "
              + directory.resolve(FILE_NAME));
    }
    requireEqual(
        directory,
        "zone",
        zone,
        asked.zone,
        "it is the zone of the archive's file names; to read and print times in another one, use"
            + " --out-zone "
            + asked.zone);
    requireEqual(
        directory,
        "disorder-bound-nanos",
        Long.toString(disorderBoundNanos),
        Long.toString(asked.disorderBoundNanos),
        "name the right store, or use the setting that it was made with");
  }

  private static void requireEqual(
      Path directory, String what, String here, String asked, String advice)
      throws StoreException.Mismatch {
    if (!here.equals(asked)) {
      throw new StoreException.Mismatch(
          "store belongs to another archive or setting: store="
              + directory
              + ", "
              + what
              + " of the store="
              + here
              + ", requested="
              + asked
              + "; "
              + advice);
    }
  }
}
