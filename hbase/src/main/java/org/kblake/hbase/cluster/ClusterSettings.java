package org.kblake.hbase.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.HConstants;
import org.jspecify.annotations.Nullable;
import org.kblake.cli.error.RequestException;
import org.kblake.hbase.cell.CellCompression;

/**
 * Where a cluster is, and how long to wait for it.
 *
 * @param zooKeeper the hosts of ZooKeeper, {@code HOST[:PORT],...}; null for those of the files
 * @param directory a directory with {@code hbase-site.xml}, {@code core-site.xml} and {@code
 *     hdfs-site.xml}, or some of them; null for none
 * @param timeout the longest time of an operation
 */
public record ClusterSettings(
    @Nullable String zooKeeper, @Nullable Path directory, Duration timeout) {

  private static final List<String> FILES =
      List.of("core-site.xml", "hdfs-site.xml", "hbase-site.xml");

  /**
   * Attempts end at the time limit. There are enough of them that regions of a server that died
   * have time to move, which usually takes some seconds.
   */
  private static final int RETRIES = 15;

  /** Passes over the files of a load. Each has attempts of its own. */
  private static final int LOADS = 3;

  private static final int ZOOKEEPER_RETRIES = 4;

  /** Returns a configuration without a cluster, for files. */
  public static Configuration local() {
    // The libraries search their class path for files of a site. A site names its own.
    Configuration configuration = HBaseConfiguration.create();
    CellCompression.select(configuration);
    return configuration;
  }

  /**
   * Returns the configuration of the cluster.
   *
   * @throws RequestException if the directory has none of the files
   */
  public Configuration configuration() throws IOException {
    Configuration configuration = local();
    Path from = directory;
    if (from != null) {
      int found = 0;
      for (String name : FILES) {
        Path file = from.resolve(name);
        if (Files.isRegularFile(file)) {
          configuration.addResource(new org.apache.hadoop.fs.Path(file.toUri()));
          found++;
        }
      }
      if (found == 0) {
        throw new RequestException("no configuration: " + from + " has none of " + FILES);
      }
      CellCompression.select(configuration);
    }
    if (zooKeeper != null) {
      configuration.set(HConstants.ZOOKEEPER_QUORUM, zooKeeper);
    }
    limit(configuration);
    return configuration;
  }

  private void limit(Configuration configuration) {
    int millis = (int) Math.min(Integer.MAX_VALUE, timeout.toMillis());
    configuration.setInt(HConstants.HBASE_CLIENT_RETRIES_NUMBER, RETRIES);
    configuration.setInt(HConstants.HBASE_RPC_TIMEOUT_KEY, millis);
    configuration.setInt(HConstants.HBASE_CLIENT_OPERATION_TIMEOUT, millis);
    configuration.setInt(HConstants.HBASE_CLIENT_META_OPERATION_TIMEOUT, millis);
    configuration.setInt(HConstants.HBASE_CLIENT_SCANNER_TIMEOUT_PERIOD, millis);
    configuration.setInt("hbase.bulkload.retries.number", LOADS);
    configuration.setInt("hbase.mapreduce.bulkload.max.hfiles.perRegion.perFamily", 10_000);
    configuration.setInt("zookeeper.recovery.retry", ZOOKEEPER_RETRIES);
  }

  /** Returns the hosts of ZooKeeper that a configuration names. */
  static String quorum(Configuration configuration) {
    return configuration.get(HConstants.ZOOKEEPER_QUORUM, HConstants.LOCALHOST)
        + " (port "
        + configuration.get(HConstants.ZOOKEEPER_CLIENT_PORT, "2181")
        + " where none is given)";
  }
}
