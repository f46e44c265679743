package org.kblake.cli.doctor;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The mounted file systems of this process, as Linux lists them. The list is read without access to
 * these file systems, so that one that does not respond cannot block.
 */
final class MountTable {

  private static final Path LINUX = Path.of("/proc/self/mounts");
  private static final int FIELDS = 4;
  private static final int OCTAL = 8;

  /** Blanks in names are octal numbers. */
  private static final Pattern ESCAPE = Pattern.compile("\\\\([0-7]{3})");

  private final List<Mount> mounts;

  private MountTable(List<Mount> mounts) {
    this.mounts = mounts;
  }

  /** Reads the list of this process; it is empty if the operating system has none. */
  static MountTable ofProcess() {
    try {
      return parse(Files.readAllLines(LINUX, StandardCharsets.UTF_8));
    } catch (IOException e) {
      return parse(List.of());
    }
  }

  /** Parses lines of {@code DEVICE POINT TYPE OPTION,OPTION... 0 0}. Other lines are ignored. */
  static MountTable parse(List<String> lines) {
    List<Mount> mounts = new ArrayList<>();
    for (String line : lines) {
      String[] fields = line.split(" ");
      if (fields.length >= FIELDS) {
        mounts.add(
            new Mount(
                unescaped(fields[0]),
                unescaped(fields[1]),
                fields[2],
                List.of(unescaped(fields[3]).split(","))));
      }
    }
    return new MountTable(mounts);
  }

  private static String unescaped(String field) {
    Matcher escapes = ESCAPE.matcher(field);
    return escapes.replaceAll(
        escape ->
            Matcher.quoteReplacement(
                Character.toString((char) Integer.parseInt(escape.group(1), OCTAL))));
  }

  /**
   * Returns the file system of a file. Of those that are mounted at the same directory it is the
   * last one.
   *
   * @param real the file's real path
   * @return null if it is unknown
   */
  @Nullable Mount of(Path real) {
    Mount found = null;
    int longest = -1;
    for (Mount mount : mounts) {
      Path point = real.getFileSystem().getPath(mount.point());
      if (real.startsWith(point) && point.getNameCount() >= longest) {
        longest = point.getNameCount();
        found = mount;
      }
    }
    return found;
  }
}
