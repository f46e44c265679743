package org.kblake.hbase.cluster;

import java.io.Closeable;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.EnumSet;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.ClusterMetrics;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.kblake.cli.error.RequestException;

/** A connection to a cluster that answered. The caller closes it. */
public final class Cluster implements Closeable {

  private final Connection connection;
  private final Configuration configuration;

  private Cluster(Connection connection, Configuration configuration) {
    this.connection = connection;
    this.configuration = configuration;
  }

  /**
   * Connects to a cluster.
   *
   * @throws RequestException if it does not answer within the time limit
   */
  public static Cluster open(ClusterSettings settings) throws IOException {
    Configuration configuration = settings.configuration();
    // The libraries wait for ZooKeeper, then for the master, each with repetitions of its own.
    ExecutorService executor =
        Executors.newSingleThreadExecutor(
            task -> {
              Thread thread = new Thread(task, "kblake-hbase");
              thread.setDaemon(true);
              return thread;
            });
    Future<Connection> opened = executor.submit(() -> connect(configuration));
    executor.shutdown();
    Duration timeout = settings.timeout();
    try {
      return new Cluster(opened.get(timeout.toMillis(), TimeUnit.MILLISECONDS), configuration);
    } catch (TimeoutException e) {
      opened.cancel(true);
      throw away(configuration, "no answer within " + timeout.toSeconds() + " s");
    } catch (ExecutionException e) {
      throw away(configuration, ClusterErrors.line(e.getCause()));
    } catch (InterruptedException e) {
      opened.cancel(true);
      throw (IOException) new InterruptedIOException().initCause(e);
    }
  }

  private static Connection connect(Configuration configuration) throws IOException {
    Connection connection = ConnectionFactory.createConnection(configuration);
    try (Admin admin = connection.getAdmin()) {
      var unused = admin.getClusterMetrics(EnumSet.of(ClusterMetrics.Option.CLUSTER_ID));
      return connection;
    } catch (Throwable e) {
      connection.abort("no answer", e);
      connection.close();
      throw e;
    }
  }

  private static RequestException away(Configuration configuration, String why) {
    return new RequestException(
        "HBase is away: "
            + why
            + ", ZooKeeper="
            + ClusterSettings.quorum(configuration)
            + "; see --zookeeper, --hbase-config and --timeout");
  }

  /** Returns the configuration of the connection. */
  public Configuration configuration() {
    return configuration;
  }

  Connection connection() {
    return connection;
  }

  /**
   * Returns a table of events.
   *
   * @param name {@code TABLE} or {@code NAMESPACE:TABLE}
   * @throws RequestException if the name cannot be one
   */
  public ClusterTable table(String name) {
    try {
      return new ClusterTable(this, TableName.valueOf(name));
    } catch (IllegalArgumentException e) {
      throw new RequestException("not a name of a table of HBase: " + name);
    }
  }

  @Override
  public void close() throws IOException {
    connection.close();
  }
}
