package org.kblake.record.importing;

import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.StringJoiner;
import java.util.function.Consumer;
import org.kblake.record.source.Conversions;

/** What an import leaves out or changes: the first cases as lines, all of them as counts. */
public final class ImportReport {

  private static final int MOST_LINES = 20;

  private final Consumer<String> lines;
  private final Map<Kind, Long> counts = new EnumMap<>(Kind.class);
  private final Conversions conversions = new Conversions();
  private int printed;

  /** What can happen to an event. */
  public enum Kind {
    CHANNEL("channels left out", true),
    DAMAGED("damaged samples left out", true),
    REFUSED("values left out that no log can hold", true),
    LATER("values left out behind one that is not before --to: a later --to imports them", true),
    OTHER_TYPE("values left out of channels whose type changed more than 100 times", true),
    EMPTY("values without elements, which became the event connected", false),
    DOUBLE("samples that two files have", false);

    private final String text;
    private final boolean isLoss;

    Kind(String text, boolean isLoss) {
      this.text = text;
      this.isLoss = isLoss;
    }
  }

  /**
   * @param lines prints a line
   */
  public ImportReport(Consumer<String> lines) {
    this.lines = lines;
  }

  /** Counts integers that no double holds, and strings that were cut. */
  public Conversions conversions() {
    return conversions;
  }

  /** Counts an event. */
  public void count(Kind kind) {
    count(kind, 1);
  }

  /** Counts events. */
  void count(Kind kind, long number) {
    counts.merge(kind, number, Long::sum);
  }

  /**
   * Counts an event, and prints a line of the first ones.
   *
   * @param line what was found, and where
   */
  public void count(Kind kind, String line) {
    count(kind);
    print(line);
  }

  /** Prints one of the first lines. */
  public void print(String line) {
    if (printed < MOST_LINES) {
      lines.accept(line);
    } else if (printed == MOST_LINES) {
      lines.accept("more lines like these are left out, the last line has their number");
    }
    printed++;
  }

  /** Returns how often something happened. */
  public long number(Kind kind) {
    return counts.getOrDefault(kind, 0L);
  }

  /** Returns whether a sample of the source is missing in the log. */
  public boolean hasLosses() {
    return counts.keySet().stream().anyMatch(kind -> kind.isLoss);
  }

  /** Returns all counts in a line, empty if there are none. */
  public String summary() {
    StringJoiner summary = new StringJoiner("; ");
    counts.forEach((kind, count) -> summary.add(text(count, kind.text)));
    if (conversions.inexactIntegers() > 0) {
      summary.add(text(conversions.inexactIntegers(), "integers that no double holds exactly"));
    }
    if (conversions.cutStrings() > 0) {
      summary.add(text(conversions.cutStrings(), "strings cut at 39 bytes"));
    }
    return summary.toString();
  }

  private static String text(long count, String what) {
    return String.format(Locale.ROOT, "%,d %s", count, what);
  }
}
