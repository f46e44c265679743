package org.kblake.transfer.build;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashSet;
import java.util.Set;
import org.kblake.core.model.Group;
import org.kblake.transfer.TransferNames;

/**
 * The list of groups below a builder's root, {@code SYS/KEKBLog.list}, which names each group that
 * was taken. Other lines stay. Lines are appended, since a recorder may do so, too. Thread safe.
 */
final class GroupList {

  private static final String DIRECTORY = "SYS";
  private static final String NAME = "KEKBLog.list";
  private static final long MAX_BYTES = 1 << 24;

  private final Path directory;
  private final Set<String> lines = new HashSet<>();

  /** The size of the file when its lines were read, or appended. */
  private long known;

  /** Whether the last line does not end. */
  private boolean isOpen;

  GroupList(Path root) {
    directory = root.resolve(DIRECTORY);
  }

  /**
   * Adds a group, if the list does not have it.
   *
   * @throws IOException if the list is a link, or cannot be read or written. No half of a line
   *     stays
   */
  synchronized void add(Group group) throws IOException {
    TransferNames.makeDirectory(directory);
    Path file = directory.resolve(NAME);
    TransferNames.requireFile(file);
    try (FileChannel channel =
        FileChannel.open(
            file,
            StandardOpenOption.CREATE,
            StandardOpenOption.APPEND,
            LinkOption.NOFOLLOW_LINKS)) {
      if (channel.size() != known) {
        read(file);
      }
      String line = group.system() + " " + group.name();
      if (!lines.contains(line)) {
        append(channel, (isOpen ? "\n" : "") + line + "\n");
        lines.add(line);
      }
    }
  }

  private void read(Path file) throws IOException {
    if (Files.size(file) > MAX_BYTES) {
      throw new IOException("the file is longer than a list of groups: " + file);
    }
    String text = Files.readString(file, StandardCharsets.ISO_8859_1);
    lines.clear();
    text.lines().map(each -> each.strip().replaceAll("\\s+", " ")).forEach(lines::add);
    isOpen = !text.isEmpty() && !text.endsWith("\n");
    known = text.length();
  }

  private void append(FileChannel channel, String text) throws IOException {
    ByteBuffer bytes = StandardCharsets.ISO_8859_1.encode(text);
    try {
      while (bytes.hasRemaining()) {
        channel.write(bytes);
      }
    } catch (IOException e) {
      if (channel.size() == known + bytes.position()) {
        channel.truncate(known);
      }
      throw e;
    }
    known += bytes.limit();
    isOpen = false;
  }
}
