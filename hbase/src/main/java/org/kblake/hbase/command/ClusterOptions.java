package org.kblake.hbase.command;

import java.nio.file.Path;
import java.time.Duration;
import org.kblake.cli.error.UsageException;
import org.kblake.cli.frame.OptionalValue;
import org.kblake.cli.frame.Options;
import org.kblake.cli.frame.Session;
import org.kblake.cli.frame.Value;
import org.kblake.hbase.cluster.ClusterSettings;

/** The options that name a cluster. */
final class ClusterOptions {

  private final OptionalValue<String> zooKeeper;
  private final OptionalValue<Path> config;
  private final Value<Duration> timeout;

  /** Adds the options to a command. */
  ClusterOptions(Options options) {
    zooKeeper =
        options.value(
            String.class,
            "HOSTS",
            "The hosts of ZooKeeper, HOST[:PORT],... Default: those of the files of --hbase-config.",
            "--zookeeper");
    config =
        options.value(
            Path.class,
            "DIR",
            "A directory with hbase-site.xml, core-site.xml and hdfs-site.xml of the site.",
            "--hbase-config");
    timeout =
        options.preset(
            Duration.class,
            "60s",
            "DURATION",
            "The longest time to wait for HBase. Default: ${DEFAULT-VALUE}.",
            "--timeout");
  }

  /** Returns whether a cluster is named. */
  boolean isGiven() {
    return zooKeeper.isGiven() || config.isGiven();
  }

  /**
   * Returns the cluster.
   *
   * @throws UsageException if none is named
   */
  ClusterSettings settings(Session session) {
    if (!isGiven()) {
      throw new UsageException("name the cluster: --hbase-config DIR or --zookeeper HOSTS");
    }
    Path directory = config.get();
    return new ClusterSettings(
        zooKeeper.get(), directory == null ? null : session.path(directory), timeout.get());
  }
}
