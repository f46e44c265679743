package org.kblake.cli.settings;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Finds the lines of a settings file for messages. The parser of TOML does not tell where a key is.
 * It is a class of its own, so that a start with a correct file does not load it.
 */
final class SettingLines {

  private static final Pattern WORD =
      Pattern.compile("\\G\\s*(?:\"([^\"]*)\"|'([^']*)'|([\\w-]+))\\s*(\\.?)");

  private static final Pattern ENTRY = Pattern.compile("\\s*([\\w-]+)\\s*=\\s*([^\\s#].*?)\\s*");

  private static final Pattern TEXT_WITHOUT_QUOTES =
      Pattern.compile("[/~.$\\p{L}\\d][^\"'\\[{#]*?(?=\\s*(#.*)?$)");

  private SettingLines() {}

  /**
   * Returns the line of a key, or of the table that has it.
   *
   * @param path the names of the tables, from the outermost, and the key
   * @return the number of the line from 1 on; 0 if none is found
   */
  static int lineOf(String text, List<String> path) {
    List<String> table = List.of();
    int found = 0;
    int longest = 0;
    List<String> lines = text.lines().toList();
    for (int i = 0; i < lines.size(); i++) {
      String line = lines.get(i).strip();
      boolean header = line.startsWith("[");
      List<String> names = new ArrayList<>(header ? List.of() : table);
      names.addAll(names(header ? line.replaceFirst("^\\[+", "") : line));
      if (header) {
        table = List.copyOf(names);
      }
      // A wrong key may have further parts: zone.a = 1
      int common = Math.min(names.size(), path.size());
      boolean leads = path.subList(0, common).equals(names.subList(0, common));
      if (leads && common > longest && (header || common > table.size())) {
        longest = common;
        found = i + 1;
      }
    }
    return found;
  }

  /** Returns the names of a dotted key at the begin of a line. */
  private static List<String> names(String line) {
    List<String> names = new ArrayList<>();
    Matcher word = WORD.matcher(line);
    while (word.find()) {
      for (int i = 1; i <= 3; i++) {
        if (word.group(i) != null) {
          names.add(word.group(i));
        }
      }
      if (word.group(4).isEmpty()) {
        break;
      }
    }
    return names;
  }

  /**
   * Explains a line that is not TOML because its value is a text without quotes.
   *
   * @param number the number of the line, from 1 on
   * @return null if this is not the reason
   */
  static @Nullable String unquoted(String text, int number) {
    List<String> lines = text.lines().toList();
    Matcher entry =
        ENTRY.matcher(number >= 1 && number <= lines.size() ? lines.get(number - 1) : "");
    if (!entry.matches()) {
      return null;
    }
    Matcher value = TEXT_WITHOUT_QUOTES.matcher(entry.group(2));
    return value.lookingAt()
        ? "text is not in quotes; write %s = \"%s\"".formatted(entry.group(1), value.group())
        : null;
  }
}
