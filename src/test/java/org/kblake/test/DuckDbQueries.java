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
    String statements = new String(System.in.readAllBytes(), UTF_8);
    PrintStream out = new PrintStream(System.out, false, UTF_8);
    for (String answer : answer(List.of(statements.split("\0")))) {
      out.print(answer + '\0');
    }
    out.flush();
  }

  /**
   * Executes statements in one new database.
   *
   * @return for each a line a row, tabs between cells; or {@code error: } and the message
   */
  static List<String> answer(List<String> statements) throws SQLException {
    List<String> answers = new ArrayList<>();
    try (Connection connection = DriverManager.getConnection("jdbc:duckdb:");
        Statement statement = connection.createStatement()) {
      for (String sql : statements) {
        answers.add(answer(statement, sql));
      }
    }
    return answers;
  }

  private static String answer(Statement statement, String sql) {
    StringBuilder lines = new StringBuilder();
    try {
      if (!statement.execute(sql)) {
        return "";
      }
      try (ResultSet rows = statement.getResultSet()) {
        while (rows.next()) {
          List<String> cells = new ArrayList<>();
          for (int i = 1; i <= rows.getMetaData().getColumnCount(); i++) {
            cells.add(rows.getString(i));
          }
          lines.append(String.join("\t", cells)).append('\n');
        }
      }
      return lines.toString();
    } catch (SQLException e) {
      return "error: " + e.getMessage() + "\n";
    }
  }
}
