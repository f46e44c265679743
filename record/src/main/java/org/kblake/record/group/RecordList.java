package org.kblake.record.group;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The names of a group's records.
 *
 * @param names each name once, in the order of the list
 * @param problems a line for each name that is left out
 */
public record RecordList(List<String> names, List<String> problems) {

  private static final int MOST_BYTES = 0xFFFF;

  /** No server of Channel Access has longer names. */
  private static final int MOST_SHOWN = 500;

  public RecordList {
    names = List.copyOf(names);
    problems = List.copyOf(problems);
  }

  /**
   * Reads a list: a name per line, which ends at the first blank. Empty lines are ignored.
   *
   * @throws IOException if the file cannot be read
   */
  public static RecordList read(Path file) throws IOException {
    try {
      return of(Files.readAllLines(file, StandardCharsets.ISO_8859_1), String.valueOf(file));
    } catch (FileSystemException e) {
      throw e;
    } catch (IOException e) {
      throw new FileSystemException(file.toString(), null, e.getMessage()); // of a directory
    }
  }

  /**
   * Returns the list of some lines.
   *
   * @param origin where the lines are from, for problems
   */
  public static RecordList of(List<String> lines, String origin) {
    Set<String> names = new LinkedHashSet<>();
    List<String> problems = new ArrayList<>();
    for (int i = 0; i < lines.size(); i++) {
      if (lines.get(i).isBlank()) {
        continue;
      }
      String name = firstWord(lines.get(i));
      String problem = problem(name);
      if (problem.isEmpty() && !names.add(name)) {
        problem = "name occurs twice";
      }
      if (!problem.isEmpty()) {
        problems.add(
            problem
                + ", it is left out: file="
                + origin
                + ", line="
                + (i + 1)
                + (name.isEmpty() ? "" : ", name=" + shown(name)));
      }
    }
    return new RecordList(List.copyOf(names), problems);
  }

  private static String firstWord(String line) {
    int end = 0;
    while (end < line.length() && line.charAt(end) != ' ' && line.charAt(end) != '\t') {
      end++;
    }
    return line.substring(0, end);
  }

  /** Returns a name for a message: cut if it is long, without what a terminal would obey. */
  public static String shown(String name) {
    String begin = name.length() > MOST_SHOWN ? name.substring(0, MOST_SHOWN) + "..." : name;
    return begin.replaceAll("\\p{Cntrl}", "?");
  }

  /** Returns a message in which a name is as {@link #shown} has it. */
  public static String shorten(String message, String name) {
    return message.replace(name, shown(name));
  }

  private static String problem(String name) {
    if (name.isEmpty()) {
      return "line begins with a blank";
    }
    if (name.chars().anyMatch(Character::isISOControl)) {
      return "name has a control character";
    }
    if (!name.chars().allMatch(c -> c > ' ' && c < 0x7F)) {
      return "name is not ASCII";
    }
    return name.length() > MOST_BYTES ? "name has more than 65,535 bytes" : "";
  }
}
