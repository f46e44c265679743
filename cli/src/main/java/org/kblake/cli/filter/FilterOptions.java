package org.kblake.cli.filter;

import org.jspecify.annotations.Nullable;
import org.kblake.cli.frame.CommandModel;
import org.kblake.cli.frame.OptionalValue;
import org.kblake.cli.frame.Values;
import org.kblake.query.question.EventQuery;

/** The options that select rows and columns of an answer. */
public final class FilterOptions {

  private final Values<String> where;
  private final OptionalValue<String> severity;
  private final OptionalValue<String> columns;

  public FilterOptions(CommandModel model) {
    where =
        model.values(
            String.class,
            "CONDITION",
            "Only rows with a value that meets the condition: value OP NUMBER, or CHANNEL OP NUMBER"
                + " for the rows of one channel. OP is <, <=, >, >=, =, == or !=. Of several"
                + " conditions all must be met. Texts and waveforms meet none.",
            "--where");
    severity =
        model.value(
            String.class,
            "SEVERITY",
            "Only rows with at least this alarm severity: no, minor, major, invalid.",
            "--severity");
    columns =
        model.value(
            String.class,
            "NAMES",
            "The columns of the output and their order, such as time,value. Columns are time,"
                + " channel, group, state, severity, status, stray, value.",
            "--columns");
  }

  /** Returns whether any of the options is given. */
  public boolean isGiven() {
    return columns.isGiven() || severity.isGiven() || !where.get().isEmpty();
  }

  /**
   * Returns the rows that are selected; null for all.
   *
   * @throws org.kblake.cli.error.UsageException if a value is wrong
   */
  public @Nullable RowFilter rows() {
    return severity.isGiven() || !where.get().isEmpty()
        ? RowFilter.of(where.get(), severity.get())
        : null;
  }

  /**
   * Returns the columns that are selected; null for the usual ones.
   *
   * @param withStrays whether the answer has the column {@code stray}
   * @throws org.kblake.cli.error.UsageException if a name is wrong
   */
  public @Nullable ColumnChoice columns(boolean withStrays) {
    String names = columns.get();
    return names == null ? null : ColumnChoice.parse(names, withStrays);
  }

  /** Adds the rows and columns to a question. */
  public EventQuery addTo(EventQuery query) {
    RowFilter rows = rows();
    ColumnChoice choice = columns(true);
    EventQuery filtered = rows == null ? query : query.where(rows);
    return choice != null && choice.hasGroup() ? filtered.withGroup() : filtered;
  }
}
