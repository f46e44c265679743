package org.kblake.cli.kblogrd;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.jspecify.annotations.Nullable;
import org.kblake.cli.frame.UsageException;

/**
 * One of the records that {@code -r} names.
 *
 * @param text as it was given
 * @param pattern what the names it means have; null where it is a name itself
 */
record RecordArgument(String text, @Nullable Pattern pattern) {

  /**
   * Reads the value of {@code -r}: a comma always separates, and what ends in {@code -} is a
   * regular expression.
   *
   * @throws UsageException if a name is empty or an expression is none
   */
  static List<RecordArgument> parse(String list) {
    if (list.isEmpty()) {
      throw new UsageException("-r names no record: say -r RECORD[,RECORD]...");
    }
    List<RecordArgument> records = new ArrayList<>();
    int from = 0;
    while (from <= list.length()) {
      int comma = list.indexOf(',', from);
      int to = comma < 0 ? list.length() : comma;
      records.add(one(list.substring(from, to), records.size() + 1));
      from = to + 1;
    }
    return records;
  }

  private static RecordArgument one(String text, int place) {
    if (text.isEmpty()) {
      throw new UsageException(
          "-r has an empty name at place " + place + ": say RECORD[,RECORD]...");
    }
    return text.endsWith("-")
        ? new RecordArgument(text, pattern(text))
        : new RecordArgument(text, null);
  }

  private static Pattern pattern(String text) {
    String regex = text.substring(0, text.length() - 1);
    if (regex.isEmpty()) {
      throw new UsageException("-r has an empty regular expression: say .- for all records");
    }
    try {
      return Pattern.compile(regex);
    } catch (PatternSyntaxException e) {
      throw new UsageException(
          "-r has no regular expression before the last '-' in "
              + shown(text)
              + ": "
              + e.getDescription()
              + " near index "
              + e.getIndex(),
          e);
    } catch (StackOverflowError e) {
      throw new UsageException("-r has a regular expression that nests too deeply: " + shown(text));
    }
  }

  /**
   * Whether a name is meant.
   *
   * @throws UsageException if a regular expression takes longer than any name is worth
   */
  boolean means(String name) {
    Pattern expression = pattern;
    if (expression == null) {
      return text.equals(name);
    }
    try {
      return expression.matcher(new BoundedText(name)).find();
    } catch (BoundedText.TooManyStepsException | StackOverflowError e) {
      throw new UsageException(
          "-r has a regular expression that takes too long: "
              + shown(text)
              + ", given up at record "
              + name
              + "; say it without repetition inside of repetition, like (a+)+");
    }
  }

  private static String shown(String text) {
    return text.length() <= 100 ? text : text.substring(0, 100) + "...";
  }
}
