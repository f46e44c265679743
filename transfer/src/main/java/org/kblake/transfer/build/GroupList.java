package org.kblake.transfer.build;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
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
 * was taken. Other lines stay. Thread safe.
 */
final class GroupList {

  private static final String DIRECTORY = "SYS";
  private static final String NAME = "KEKBLog.list";
  private static final long MAX_BYTES = 1 << 24;

  private final Path directory;
  private final Set<Group> known = new HashSet<>();

  GroupList(Path root) {
    directory = root.resolve(DIRECTORY);
  }

  /**
   * Adds a group, if the list does not have it.
   *
   * @throws IOException if the list is a link, or cannot be read or written
   */
  synchronized void add(Group group) throws IOException {
    if (known.contains(group)) {
      return;
    }
    Path file = file();
    String text = Files.exists(file, LinkOption.NOFOLLOW_LINKS) ? read(file) : "";
    String line = group.system() + " " + group.name();
    if (text.lines().noneMatch(each -> each.strip().equals(line))) {
      String begin = text.isEmpty() || text.endsWith("\n") ? "" : "\n";
      Files.writeString(
          file,
          begin + line + "\n",
          StandardCharsets.ISO_8859_1,
          StandardOpenOption.CREATE,
          StandardOpenOption.APPEND,
          LinkOption.NOFOLLOW_LINKS);
    }
    known.add(group);
  }

  private Path file() throws IOException {
    if (!TransferNames.isDirectory(directory)) {
      try {
        Files.createDirectory(directory);
      } catch (FileAlreadyExistsException e) {
        throw new IOException(
            "not a directory, or a link, which transfers do not follow: " + directory, e);
      }
    }
    Path file = directory.resolve(NAME);
    TransferNames.requireFile(file);
    return file;
  }

  private static String read(Path file) throws IOException {
    if (Files.size(file) > MAX_BYTES) {
      throw new IOException("the file is longer than a list of groups: " + file);
    }
    return Files.readString(file, StandardCharsets.ISO_8859_1);
  }
}
