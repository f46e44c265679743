package org.kblake.record.importing.jdbc;

import java.io.Closeable;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Properties;
import java.util.ServiceLoader;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.kblake.cli.error.RequestException;

/**
 * A connection that only reads. Its driver is on the class path, or in jars of the user. The caller
 * closes it. For one thread: its interrupt cancels the statement that it waits for.
 */
public final class Database implements Closeable {

  private static final int FETCHED_ROWS = 1000;
  private static final long WATCH_MILLIS = 200;

  /** A firewall, or a server without memory, may not answer at all. */
  private static final Duration CONNECT_LIMIT = Duration.ofSeconds(30);

  private final String url;
  private final Connection connection;

  private Database(String url, Connection connection) {
    this.url = url;
    this.connection = connection;
  }

  /**
   * Connects.
   *
   * @param jars jars with drivers
   * @throws RequestException if no driver takes the URL, or the database refuses, or does not
   *     answer for half a minute
   */
  public static Database open(
      String url, @Nullable String user, @Nullable String password, List<Path> jars)
      throws InterruptedException {
    return open(url, properties(user, password), jars, CONNECT_LIMIT);
  }

  private static Properties properties(@Nullable String user, @Nullable String password) {
    Properties properties = new Properties();
    if (user != null) {
      properties.setProperty("user", user);
    }
    if (password != null) {
      properties.setProperty("password", password);
    }
    return properties;
  }

  static Database open(String url, Properties properties, List<Path> jars, Duration limit)
      throws InterruptedException {
    try {
      for (Driver driver : ServiceLoader.load(Driver.class, loader(jars))) {
        if (driver.acceptsURL(url)) {
          Connection connection = connect(driver, url, properties, limit);
          if (connection != null) {
            connection.setReadOnly(true);
            if (isPostgres(url) || isMysql(url)) {
              // All questions see one state. Elsewhere this level may lock rows, or be unknown.
              connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
            }
            // PostgreSQL hands out rows one after another only inside of a transaction.
            connection.setAutoCommit(false);
            return new Database(url, connection);
          }
        }
      }
    } catch (SQLException e) {
      throw refused(e);
    }
    throw new RequestException(
        "no JDBC driver takes this URL; name its jar with --driver, or put it into"
            + " extensions/record: url="
            + url);
  }

  /** Connects in a thread of its own: drivers have no common time limit. */
  private static @Nullable Connection connect(
      Driver driver, String url, Properties properties, Duration limit)
      throws SQLException, InterruptedException {
    CompletableFuture<@Nullable Connection> connected = new CompletableFuture<>();
    Thread thread =
        new Thread(
            () -> {
              try {
                connected.complete(driver.connect(url, properties));
              } catch (Throwable e) {
                connected.completeExceptionally(e);
              }
            },
            "kblake-jdbc-connect");
    thread.setDaemon(true);
    thread.start();
    try {
      return connected.get(limit.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      throw new RequestException(
          "the database does not answer; see whether it is reached: url="
              + url
              + ", seconds="
              + limit.toSeconds());
    } catch (ExecutionException e) {
      throw e.getCause() instanceof SQLException refusal ? refusal : new SQLException(e.getCause());
    }
  }

  private static ClassLoader loader(List<Path> jars) {
    URL[] urls = new URL[jars.size()];
    for (int i = 0; i < urls.length; i++) {
      if (!Files.isReadable(jars.get(i))) {
        throw new RequestException("driver cannot be read: file=" + jars.get(i));
      }
      try {
        urls[i] = jars.get(i).toUri().toURL();
      } catch (MalformedURLException e) {
        throw new RequestException("driver cannot be read: file=" + jars.get(i));
      }
    }
    ClassLoader parent = Database.class.getClassLoader();
    return urls.length == 0 ? parent : new URLClassLoader(urls, parent);
  }

  /** Returns whether this is PostgreSQL. */
  boolean isPostgres() {
    return isPostgres(url);
  }

  private static boolean isPostgres(String url) {
    return url.startsWith("jdbc:postgresql:");
  }

  /** Returns whether this is MySQL or MariaDB. */
  boolean isMysql() {
    return isMysql(url);
  }

  private static boolean isMysql(String url) {
    return url.startsWith("jdbc:mysql:") || url.startsWith("jdbc:mariadb:");
  }

  /** Work on rows. */
  @FunctionalInterface
  interface RowWork {
    void run(ResultSet rows) throws SQLException, IOException;
  }

  /** Asks, and passes over the rows with bounded memory. */
  void query(String sql, RowWork work) throws IOException {
    try (Statement statement = statement();
        ResultSet rows = rows(statement, sql)) {
      work.run(rows);
    } catch (SQLException e) {
      throw refused(e);
    }
  }

  /** Creates a statement that does not hold all rows. */
  Statement statement() throws SQLException {
    Statement statement =
        connection.createStatement(ResultSet.TYPE_FORWARD_ONLY, ResultSet.CONCUR_READ_ONLY);
    // MySQL's driver otherwise holds all rows.
    boolean isWhole = url.startsWith("jdbc:mysql:");
    statement.setFetchSize(isWhole ? Integer.MIN_VALUE : FETCHED_ROWS);
    return statement;
  }

  /** Executes a statement, which an interrupt cancels. */
  ResultSet rows(Statement statement, String sql) throws SQLException, InterruptedIOException {
    Thread worker = Thread.currentThread();
    Thread watch = new Thread(() -> watch(worker, statement), "kblake-jdbc-cancel");
    watch.setDaemon(true);
    watch.start();
    try {
      return statement.executeQuery(sql);
    } catch (SQLException e) {
      if (Thread.interrupted()) {
        throw new InterruptedIOException();
      }
      throw e;
    } finally {
      watch.interrupt();
    }
  }

  private static void watch(Thread worker, Statement statement) {
    try {
      while (!worker.isInterrupted()) {
        TimeUnit.MILLISECONDS.sleep(WATCH_MILLIS);
      }
      statement.cancel();
    } catch (InterruptedException e) {
      // The statement was executed.
    } catch (SQLException e) {
      // The driver cannot cancel: the process ends when the statement does.
    }
  }

  /** Returns the message for a user: that of a database may have several lines. */
  static RequestException refused(SQLException error) {
    String message = String.valueOf(error.getMessage()).strip().replaceAll("\\s*\\R\\s*", ", ");
    return new RequestException("the database refuses: " + message);
  }

  @Override
  public void close() throws IOException {
    try {
      connection.close();
    } catch (SQLException e) {
      throw refused(e);
    }
  }
}
