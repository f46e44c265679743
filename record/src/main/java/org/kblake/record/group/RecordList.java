package org.kblake.record.group;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
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
    return of(Files.readAllLines(file, StandardCharsets.ISO_8859_1), String.valueOf(file));
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
      String name = firstWord(lines.get(i));
      if (name.isEmpty()) {
        continue;
      }
      String problem = problem(name);
      if (problem.isEmpty() && !names.add(name)) {
        problem = "name occurs twice";
      }
      if (!problem.isEmpty()) {
        problems.add(
            problem + ", it is left out: file=" + origin + ", line=" + (i + 1) + ", name=" + name);
      }
    }
    return new RecordList(List.copyOf(names), problems);
  }

  private static String firstWord(String line) {
    int end = 0;
    while (end < line.length() && line.charAt(end) > ' ') {
      end++;
    }
    return line.substring(0, end);
  }

  private static String problem(String name) {
    if (!name.chars().allMatch(c -> c > ' ' && c < 0x7F)) {
      return "name is not ASCII";
    }
    return name.length() > MOST_BYTES ? "name has more than 65,535 bytes" : "";
  }
}
