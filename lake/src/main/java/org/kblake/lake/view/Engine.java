package org.kblake.lake.view;

import org.kblake.cli.files.DuckDbViews;
import org.kblake.lake.table.LakeTable;

/** The SQL of an engine, where engines differ. */
public enum Engine {
  duckdb {
    @Override
    String create(String name) {
      return "CREATE OR REPLACE VIEW " + quoted(name);
    }

    @Override
    String quoted(String name) {
      return '"' + name + '"';
    }

    @Override
    String source(LakeTable table, String catalog) {
      return "iceberg_scan('"
          + table.place().replace("'", "''")
          + "', snapshot_from_id = "
          + table.snapshot()
          + ")";
    }

    @Override
    String file() {
      return "filename";
    }

    @Override
    String time(String nanos) {
      return DuckDbViews.time(nanos);
    }

    @Override
    String last(String column) {
      return "last_value(" + column + " IGNORE NULLS)";
    }

    @Override
    String element(String list, String index) {
      return list + "[" + index + " + 1]";
    }

    @Override
    String hours(String from, String to) {
      return "unnest(range(%s // %3$d, (%s - 1) // %3$d + 1))".formatted(from, to, HOUR);
    }

    @Override
    String function() {
      return "CREATE OR REPLACE MACRO kblake_ns(t) AS epoch_us(CAST(t AS TIMESTAMPTZ)) * 1000";
    }
  },

  spark {
    @Override
    String create(String name) {
      return "CREATE OR REPLACE TEMPORARY VIEW " + quoted(name);
    }

    @Override
    String quoted(String name) {
      return '`' + name + '`';
    }

    @Override
    String source(LakeTable table, String catalog) {
      return quoted(catalog) + "." + table.identifier() + " VERSION AS OF " + table.snapshot();
    }

    @Override
    String file() {
      return "_file";
    }

    @Override
    String time(String nanos) {
      return "timestamp_micros(CAST(floor(" + nanos + " / 1000) AS BIGINT))";
    }

    @Override
    String last(String column) {
      return "last_value(" + column + ") IGNORE NULLS";
    }

    @Override
    String element(String list, String index) {
      return "try_element_at(" + list + ", " + index + " + 1)";
    }

    @Override
    String hours(String from, String to) {
      return "explode(sequence(%s DIV %3$d, (%s - 1) DIV %3$d))".formatted(from, to, HOUR);
    }

    @Override
    String function() {
      return "CREATE OR REPLACE TEMPORARY FUNCTION kblake_ns(t TIMESTAMP) RETURNS BIGINT RETURN"
          + " unix_micros(t) * 1000";
    }
  };

  /** Nanoseconds of an hour. */
  static final long HOUR = 3_600_000_000_000L;

  /** Returns the begin of a statement that makes a view. */
  abstract String create(String name);

  /** Returns a name that may be a word of SQL. */
  abstract String quoted(String name);

  /** Returns a table as it is now, whatever is published later. */
  abstract String source(LakeTable table, String catalog);

  /** Returns the column with the path of a row's data file. */
  abstract String file();

  /** Returns the timestamp of a time, rounded down to microseconds. */
  abstract String time(String nanos);

  /** Returns the window function of the last value that is not null. */
  abstract String last(String column);

  /** Returns an element of a list, from 0 on. */
  abstract String element(String list, String index);

  /** Returns the hours of a span of time, a row for each. */
  abstract String hours(String from, String to);

  /** Returns the statement that makes the function from timestamps to nanoseconds. */
  abstract String function();
}
