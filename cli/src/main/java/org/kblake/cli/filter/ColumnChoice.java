package org.kblake.cli.filter;

import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.vector.FieldVector;
import org.kblake.cli.error.UsageException;

/** The columns of an answer in the order of {@code --columns}. */
public final class ColumnChoice {

  private static final String VALUE = "value";
  private static final String GROUP = "group";
  private static final String STRAY = "stray";
  private static final List<String> ALL =
      List.of("time", "channel", GROUP, "state", "severity", "status", STRAY, VALUE);

  private final List<String> names;

  private ColumnChoice(List<String> names) {
    this.names = names;
  }

  /**
   * Parses names with commas between them.
   *
   * @param withStrays whether there is a column {@code stray}
   * @throws UsageException if there is no such column, or a name is repeated
   */
  static ColumnChoice parse(String text, boolean withStrays) {
    List<String> names = new ArrayList<>();
    for (String word : text.split(",", -1)) {
      String name = word.strip();
      if (!ALL.contains(name) || names.contains(name)) {
        throw new UsageException(
            "--columns: '"
                + name
                + (names.contains(name) ? "' is repeated; " : "' is no column; ")
                + "name some of "
                + String.join(",", ALL));
      }
      if (name.equals(STRAY) && !withStrays) {
        throw new UsageException("--columns: the column stray needs --strays");
      }
      names.add(name);
    }
    return new ColumnChoice(List.copyOf(names));
  }

  /** Returns the names that can be chosen. */
  public static List<String> all() {
    return ALL;
  }

  /** Returns the names in their order. */
  public List<String> names() {
    return names;
  }

  boolean hasGroup() {
    return names.contains(GROUP);
  }

  /**
   * Selects items of an answer in Arrow vectors. The columns of all kinds of values are chosen as
   * one.
   *
   * @param vectors the columns of the answer
   * @param items an item for each column, such as its field
   * @throws UsageException if the answer does not have a column
   */
  public <T> List<T> of(List<FieldVector> vectors, List<T> items) {
    List<T> chosen = new ArrayList<>();
    for (String name : names) {
      int before = chosen.size();
      for (int i = 0; i < vectors.size(); i++) {
        String column = vectors.get(i).getName();
        if (column.equals(name) || name.equals(VALUE) && column.startsWith("value_")) {
          chosen.add(items.get(i));
        }
      }
      if (chosen.size() == before) {
        throw new UsageException("--columns: this answer has no column " + name);
      }
    }
    return chosen;
  }
}
