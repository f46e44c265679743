package org.kblake.core.metadata;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.InstantSource;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.kblake.core.model.Group;

/**
 * A folder with the files {@code SYSTEM/GROUP/channels.csv}. A file is read when its group is asked
 * for, and again when it changes. Thread safe.
 */
public final class MetadataFolder {

  /** The name of each file. */
  public static final String FILE = "channels.csv";

  /** The most bytes of a file. */
  public static final int MAX_BYTES = 16 << 20;

  private static final int HEADER_BYTES = 1 << 12;

  /** A file that changed less long ago may change again without another time of change. */
  private static final Duration SETTLED = Duration.ofSeconds(2);

  private final Path directory;
  private final ZoneId zone;
  private final InstantSource clock;
  private final Map<Group, Known> known = new ConcurrentHashMap<>();

  /**
   * @param key the state of the file when it was read; null if the file may change unnoticed
   */
  private record Known(@Nullable List<Object> key, GroupMetadata metadata) {}

  /**
   * @param zone the zone of dates without offset
   */
  public MetadataFolder(Path directory, ZoneId zone) {
    this(directory, zone, InstantSource.system());
  }

  MetadataFolder(Path directory, ZoneId zone, InstantSource clock) {
    this.directory = directory;
    this.zone = zone;
    this.clock = clock;
  }

  /**
   * Returns the folder {@code SYS/channels} of an archive, in which recorders keep what servers say
   * of channels. People write into another one.
   */
  public static MetadataFolder recorded(Path root, ZoneId zone) {
    return new MetadataFolder(root.resolve("SYS").resolve("channels"), zone);
  }

  /** Returns the file of a group. */
  public Path fileOf(Group group) {
    return directory.resolve(group.system()).resolve(group.name()).resolve(FILE);
  }

  /** Returns the metadata of a group, as its file is now. */
  public GroupMetadata of(Group group) {
    Path file = fileOf(group);
    BasicFileAttributes attributes;
    try {
      attributes = Files.readAttributes(file, BasicFileAttributes.class);
    } catch (NoSuchFileException e) {
      known.remove(group);
      return GroupMetadata.none(group);
    } catch (IOException e) {
      return GroupMetadata.unread(group, file + ": cannot be read: " + e.getMessage());
    }
    FileTime changed = attributes.lastModifiedTime();
    List<Object> key =
        List.of(
            changed, attributes.size(), Objects.requireNonNullElse(attributes.fileKey(), "no key"));
    Known before = known.get(group);
    if (before != null && key.equals(before.key())) {
      return before.metadata();
    }
    GroupMetadata read = read(group, file, attributes);
    boolean settled = changed.toInstant().plus(SETTLED).isBefore(clock.instant());
    known.put(group, new Known(settled ? key : null, read));
    return read;
  }

  /**
   * Returns the metadata of a group as far as its former names need them. A file whose header has
   * no column for these is not parsed: of a file with 30,000 channels this takes as long as a short
   * answer.
   */
  public GroupMetadata ofNames(Group group) {
    byte[] begin;
    try (InputStream in = Files.newInputStream(fileOf(group))) {
      begin = in.readNBytes(HEADER_BYTES);
    } catch (IOException e) {
      return of(group);
    }
    int end = 0;
    while (end < begin.length && begin[end] != '\n') {
      end++;
    }
    return end == begin.length || ChannelsParser.mayHaveFormerNames(Arrays.copyOf(begin, end))
        ? of(group)
        : GroupMetadata.none(group);
  }

  /** Reads the file of a group, and keeps nothing of it. */
  public GroupMetadata read(Group group) {
    return new MetadataFolder(directory, zone, clock).of(group);
  }

  private GroupMetadata read(Group group, Path file, BasicFileAttributes attributes) {
    if (!attributes.isRegularFile()) {
      return GroupMetadata.unread(group, file + ": is not a file");
    }
    try (InputStream in = Files.newInputStream(file)) {
      byte[] bytes = in.readNBytes(MAX_BYTES + 1);
      return bytes.length > MAX_BYTES
          ? GroupMetadata.unread(
              group, file + ": is larger than " + (MAX_BYTES >> 20) + " MiB, it is not used")
          : ChannelsParser.parse(group, file, zone, bytes);
    } catch (IOException e) {
      return GroupMetadata.unread(group, file + ": cannot be read: " + e.getMessage());
    }
  }

  /**
   * Returns the groups that have a file, in the order of their names.
   *
   * @throws IOException if the folder cannot be listed
   */
  public List<Group> groups() throws IOException {
    List<Group> groups = new ArrayList<>();
    for (Path system : directories(directory)) {
      for (Path group : directories(system)) {
        if (Files.exists(group.resolve(FILE))) {
          groups.add(new Group(system.getFileName().toString(), group.getFileName().toString()));
        }
      }
    }
    return groups;
  }

  private static List<Path> directories(Path of) throws IOException {
    try (Stream<Path> listed = Files.list(of)) {
      return listed.filter(Files::isDirectory).sorted().toList();
    }
  }
}
