package org.kblake.benchmarks.hbase;

import java.io.File;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.StartMiniClusterOption;
import org.apache.hadoop.hbase.io.compress.Compression;
import org.apache.hadoop.hbase.zookeeper.MiniZooKeeperCluster;

/** HBase's mini cluster: a master and a region server in this JVM, on local files. */
final class MiniCluster implements AutoCloseable {

  private static final String WRITE_AHEAD_LOGS = "wal";
  private static final int TICK_MILLIS = 30_000;

  private final HBaseTestingUtility hbase = new HBaseTestingUtility();
  private final MiniZooKeeperCluster zooKeeper;

  MiniCluster() throws Exception {
    Configuration configuration = hbase.getConfiguration();
    configuration.setBoolean("hbase.unsafe.stream.capability.enforce", false);
    configuration.setInt("hbase.master.info.port", -1);
    configuration.setInt("hbase.regionserver.info.port", -1);
    configuration.set(
        Compression.LZ4_CODEC_CLASS_KEY, "org.apache.hadoop.hbase.io.compress.lz4.Lz4Codec");
    configuration.set(
        Compression.ZSTD_CODEC_CLASS_KEY, "org.apache.hadoop.hbase.io.compress.zstd.ZstdCodec");
    // The algorithms do not see the configuration of the cluster.
    Compression.Algorithm.LZ4.reload(configuration);
    Compression.Algorithm.ZSTD.reload(configuration);
    // Sessions live as long as 20 ticks, so that they do not expire on a busy machine.
    zooKeeper = new MiniZooKeeperCluster(configuration);
    zooKeeper.setTickTime(TICK_MILLIS);
    configuration.setInt(HConstants.ZK_SESSION_TIMEOUT, 20 * TICK_MILLIS);
    int port = zooKeeper.startup(new File(hbase.getDataTestDir("zookeeper").toString()), 1);
    configuration.setInt(HConstants.ZOOKEEPER_CLIENT_PORT, port);
    hbase.setZkCluster(zooKeeper);
    configuration.set("hbase.rootdir", "file://" + hbase.getDataTestDir("root"));
    configuration.set("hbase.wal.dir", "file://" + writeAheadLogs());
    hbase.startMiniHBaseCluster(
        StartMiniClusterOption.builder().numMasters(1).numRegionServers(1).build());
  }

  HBaseTestingUtility hbase() {
    return hbase;
  }

  /** Returns the directory of the write-ahead logs. */
  String writeAheadLogs() {
    return hbase.getDataTestDir(WRITE_AHEAD_LOGS).toString();
  }

  @Override
  public void close() throws Exception {
    hbase.shutdownMiniHBaseCluster();
    zooKeeper.shutdown();
    hbase.cleanupTestDir();
  }
}
