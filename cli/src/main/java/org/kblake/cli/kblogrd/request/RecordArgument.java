package org.kblake.cli.kblogrd.request;

import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.ToLongFunction;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.jspecify.annotations.Nullable;
import org.kblake.cli.error.UsageException;

/**
 * One name or regular expression of {@code -r}.
 *
 * @param text the argument
 * @param pattern the regular expression; null if the argument is a name
 */
public record RecordArgument(String text, @Nullable Pattern pattern) {

  /**
   * The limit of processor time of an expression. Normal expressions take milliseconds for all
   * names of a group.
   */
  private static final long MAX_MILLIS = 3000;

  /**
   * Parses the value of {@code -r}. A comma always separates, and an item that ends in {@code -} is
   * a regular expression.
   *
   * @throws UsageException if a name is empty or an expression is invalid
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
          "-r has an empty name at place " + place + ": write RECORD[,RECORD]...");
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
   * Returns the matching names in the order of the list.
   *
   * @throws UsageException if a regular expression takes too long
   */
  public List<String> among(List<String> names) {
    return among(names, MAX_MILLIS, RecordArgument::processorMillis);
  }

  /**
   * Returns the matching names as {@link #among(List)}, with a time limit for expressions with
   * counted repetition.
   *
   * @param time the time that a thread has run so far, in milliseconds; a thread that has to wait
   *     for a processor does not run
   */
  List<String> among(List<String> names, long mostMillis, ToLongFunction<Thread> time) {
    Pattern expression = pattern;
    if (expression == null) {
      return names.contains(text) ? List.of(text) : List.of();
    }
    Search search = new Search(expression, names);
    // Only counted repetition, such as ((){1000}){1000}, can run for hours without reading a
    // character
    if (expression.pattern().indexOf('{') < 0) {
      search.run();
    } else {
      search.runFor(mostMillis, time);
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

  /** Searches names for an expression. */
  private static final class Search implements Runnable {
    private final Pattern expression;
    private final List<String> names;
    private final List<String> found = new ArrayList<>();

    /** The name that is searched next; null at the end. */
    private volatile @Nullable String at;

    private @Nullable String endless;

    Search(Pattern expression, List<String> names) {
      this.expression = expression;
      this.names = names;
      at = names.isEmpty() ? null : names.get(0);
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

    /**
     * Runs in another thread. The caller continues after the time limit of that thread, even if the
     * search has not ended.
     */
    void runFor(long mostMillis, ToLongFunction<Thread> time) {
      Thread thread = new Thread(this, "kblogrd-search");
      thread.setDaemon(true);
      thread.start();
      try {
        for (long left = mostMillis; left > 0 && thread.isAlive(); ) {
          thread.join(left);
          left = mostMillis - time.applyAsLong(thread);
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      if (thread.isAlive()) {
        endless = at;
      }
    }
  }

  /** Returns the processor time of a thread, 0 if the thread has ended. */
  static long processorMillis(Thread thread) {
    return TimeUnit.NANOSECONDS.toMillis(
        ManagementFactory.getThreadMXBean().getThreadCpuTime(thread.getId()));
  }

  private static String shown(String text) {
    return text.length() <= 100 ? text : text.substring(0, 100) + "...";
  }
}
