package org.kblake.cli.access;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/**
 * Finds whether files have changed since they were last read, also by a rename, by a link that
 * leads elsewhere, or by another mode of the file or of its directory, which decides whether the
 * file is trusted. The caller looks every few seconds.
 */
public final class ChangedFiles {

  private static final String OF_FILE = "unix:ino,size,lastModifiedTime,ctime";
  private static final String OF_DIRECTORY = "unix:ino,mode,uid";

  private final List<Path> files;
  private List<String> read;
  private List<String> seen;

  /** Begins before files are read, so that no later change is missed. */
  public ChangedFiles(Path... files) {
    this.files = List.copyOf(Arrays.asList(files));
    read = states();
    seen = read;
  }

  /**
   * Returns whether to read the files now. Files that changed since the last look may be in the
   * middle of a change, such as a certificate whose key follows; they wait for the next look.
   *
   * @param asked whether to read them in any case
   */
  public boolean haveChanged(boolean asked) {
    List<String> now = states();
    boolean isOver = now.equals(seen);
    seen = now;
    if (!asked && (!isOver || now.equals(read))) {
      return false;
    }
    read = now;
    return true;
  }

  private List<String> states() {
    return files.stream().map(ChangedFiles::state).toList();
  }

  private static String state(Path file) {
    try {
      Path real = file.toRealPath();
      return attributes(real, OF_FILE)
          + attributes(real.resolveSibling("."), OF_DIRECTORY)
          + attributes(file.resolveSibling("."), OF_DIRECTORY);
    } catch (IOException | UnsupportedOperationException e) {
      // Whoever reads the file reports it.
      return "none";
    }
  }

  private static String attributes(Path path, String names) throws IOException {
    return Files.readAttributes(path, names).toString();
  }
}
