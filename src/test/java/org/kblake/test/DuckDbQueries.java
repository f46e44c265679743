package org.kblake.test;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.PrintStream;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/**
 * A program that executes the statements of its standard input, each ended by a NUL, in the DuckDB
 * on its class path. It writes for each a line a row, tabs between cells, and a NUL.
 */
final class DuckDbQueries {

  private DuckDbQueries() {}

  public static void main(String[] args) throws Exception {
    try (PrintStream out = new PrintStream(System.out, false, UTF_8);
        Connection connection = DriverManager.getConnection("jdbc:duckdb:");
        Statement statement = connection.createStatement()) {
      for (String sql : new String(System.in.readAllBytes(), UTF_8).split("\0")) {
        print(statement, sql, out);
        out.print('\0');
      }
    }
  }

  private static void print(Statement statement, String sql, PrintStream out) {
    try {
      if (!statement.execute(sql)) {
        return;
      }
      try (ResultSet rows = statement.getResultSet()) {
        while (rows.next()) {
          List<String> cells = new ArrayList<>();
          for (int i = 1; i <= rows.getMetaData().getColumnCount(); i++) {
            cells.add(rows.getString(i));
          }
          out.print(String.join("\t", cells) + "\n");
        }
      }
    } catch (SQLException e) {
      out.print("error: " + e.getMessage() + "\n");
    }
  }
}
