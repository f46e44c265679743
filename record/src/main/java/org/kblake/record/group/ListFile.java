package org.kblake.record.group;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The file with a group's record list. It may be edited or replaced at any time. */
public final class ListFile {

  private final Path file;
  private final Supplier<String> state;
  private final Reader reader;
  private String seen = "";

  /** What the last look saw. */
  private String looked = "";

  /** Reads the names of a file. */
  public interface Reader {
    /**
     * Returns the names.
     *
     * @throws IOException if they cannot be read
     */
    RecordList read(Path file) throws IOException;
  }

  /** A file with a name per line. */
  public ListFile(Path file) {
    this(file, RecordList::read);
  }

  /** A file that has the names in a form of its own. */
  public ListFile(Path file, Reader reader) {
    this(file, () -> state(file), reader);
  }

  /**
   * A file from which the names are derived.
   *
   * @param state returns another text when the names have changed
   */
  public ListFile(Path file, Supplier<String> state, Reader reader) {
    this.file = file;
    this.state = state;
    this.reader = reader;
  }

  /** Returns the file. */
  public Path path() {
    return file;
  }

  /**
   * Reads the list.
   *
   * @throws IOException if it cannot be read, or has no name
   */
  public RecordList read() throws IOException {
    seen = state.get();
    RecordList list = reader.read(file);
    if (list.names().isEmpty()) {
      String first = list.problems().isEmpty() ? "" : "; " + list.problems().get(0);
      throw new IOException("record list has no name: file=" + file + first);
    }
    return list;
  }

  /**
   * Reads the list if the file has changed since it was read, and is as at the last look: before,
   * it may be written. Returns null if it is not read.
   */
  public @Nullable RecordList readIfChanged() throws IOException {
    String now = state.get();
    boolean isWhole = now.equals(looked);
    looked = now;
    return isWhole && !now.equals(seen) ? read() : null;
  }

  /** Returns a text that a change of the file changes. */
  public static String state(Path file) {
    try {
      BasicFileAttributes now = Files.readAttributes(file, BasicFileAttributes.class);
      return now.fileKey() + " " + now.size() + " " + now.lastModifiedTime();
    } catch (IOException e) {
      return e.toString();
    }
  }
}
