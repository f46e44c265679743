package org.kblake.cli.kblogrd.request;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.jspecify.annotations.Nullable;
import org.kblake.cli.error.UsageException;

/**
 * One of the records that {@code -r} names.
 *
 * @param text as it was given
 * @param pattern what the names it means have; null where it is a name itself
 */
public record RecordArgument(String text, @Nullable Pattern pattern) {

  /** All names of a group take milliseconds. */
  private static final long MOST_MILLIS = 3000;

  /**
   * Reads the value of {@code -r}: a comma always separates, and what ends in {@code -} is a
   * regular expression.
   *
   * @throws UsageException if a name is empty or an expression is none
   */
  static List<RecordArgument> parse(String list) {
    if (list.isEmpty()) {
      throw new UsageException("-r names no record: write -r RECORD[,RECORD]...");
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
      throw new UsageException("-r has an empty regular expression: write .- for all records");
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
   * Which names are meant, in their order.
   *
   * @throws UsageException if a regular expression takes longer than names are worth
   */
  public List<String> among(List<String> names) {
    return among(names, MOST_MILLIS);
  }

  /** As {@link #among(List)}, with the time that an expression with a count may take. */
  List<String> among(List<String> names, long mostMillis) {
    Pattern expression = pattern;
    if (expression == null) {
      return names.contains(text) ? List.of(text) : List.of();
    }
    Search search = new Search(expression, names);
    // only what is counted can continue for hours without a look at the name: ((){1000}){1000}
    if (expression.pattern().indexOf('{') < 0) {
      search.run();
    } else {
      search.runFor(mostMillis);
    }
    String endless = search.endless;
    if (endless != null) {
      throw new UsageException(
          "-r has a regular expression that takes too long: "
              + shown(text)
              + ", stopped at record "
              + endless
              + "; write it without nested repetition such as (a+)+");
    }
    return search.found;
  }

  /** Looks for an expression in names; left to itself where it does not come to an end. */
  private static final class Search implements Runnable {
    private final Pattern expression;
    private final List<String> names;
    private final List<String> found = new ArrayList<>();
    private volatile @Nullable String at;
    private @Nullable String endless;

    Search(Pattern expression, List<String> names) {
      this.expression = expression;
      this.names = names;
    }

    @Override
    public void run() {
      for (String name : names) {
        at = name;
        try {
          if (expression.matcher(new BoundedText(name)).find()) {
            found.add(name);
          }
        } catch (BoundedText.TooManyStepsException | StackOverflowError e) {
          endless = name;
          return;
        }
      }
      at = null;
    }

    /** Runs beside the caller, who continues without it after a time. */
    void runFor(long millis) {
      Thread thread = new Thread(this, "kblogrd-search");
      thread.setDaemon(true);
      thread.start();
      try {
        thread.join(millis);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      if (thread.isAlive()) {
        endless = at;
      }
    }
  }

  private static String shown(String text) {
    return text.length() <= 100 ? text : text.substring(0, 100) + "...";
  }
}
