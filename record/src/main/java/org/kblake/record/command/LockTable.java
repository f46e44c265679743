package org.kblake.record.command;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The locks of files that processes of this machine have, as Linux lists them. A try to lock would
 * make a recorder that starts refuse its group.
 */
final class LockTable {

  private static final Path LOCKS = Path.of("/proc/locks");
  private static final int PROCESS = 4;
  private static final int FILE = 5;

  private final Map<Long, Long> processes = new HashMap<>();

  /** Reads the list; other systems have none, and it is empty then. */
  static LockTable ofProcess() {
    try {
      return new LockTable(Files.readString(LOCKS, StandardCharsets.ISO_8859_1));
    } catch (IOException e) {
      return new LockTable("");
    }
  }

  /**
   * @param text lines such as {@code 1: POSIX ADVISORY WRITE 3568 fd:00:2531452 0 EOF}
   */
  LockTable(String text) {
    for (String line : text.split("\n")) {
      String[] words = line.strip().split("\\s+");
      // A process that waits for a lock has another first word.
      if (words.length > FILE && words[1].equals("POSIX") && words[PROCESS].matches("\\d{1,10}")) {
        String node = words[FILE].substring(words[FILE].lastIndexOf(':') + 1);
        if (node.matches("\\d{1,18}")) {
          processes.put(Long.parseLong(node), Long.parseLong(words[PROCESS]));
        }
      }
    }
  }

  /** Returns the process that has a lock of a file; null if none is known. */
  @Nullable Long holder(Path file) {
    try {
      Object node = Files.getAttribute(file, "unix:ino");
      return node instanceof Long number ? processes.get(number) : null;
    } catch (IOException | UnsupportedOperationException e) {
      return null;
    }
  }
}
