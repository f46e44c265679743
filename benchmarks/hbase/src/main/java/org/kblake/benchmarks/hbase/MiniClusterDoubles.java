package org.kblake.benchmarks.hbase;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.BufferedMutator;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.io.compress.Compression;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Writes random doubles at 1 Hz into HBase's mini cluster and reads them. The cluster has one
 * region server in this JVM, on local files. Each value is a row with channel and nanoseconds as
 * its key, in FAST_DIFF and GZ. There are 10 channels. Each read reads one of them for the whole
 * time. The argument is the number of seconds. Prints JSON in the format of the peers of
 * benchmarks/compare.
 */
public final class MiniClusterDoubles {

  private static final int CHANNELS = 10;
  private static final int READERS = 5;
  private static final int CHANNELS_AT_ONCE = 10;
  private static final long SECOND_NANOS = 1_000_000_000L;
  private static final long BEGIN_NANOS = 1_463_324_400L * SECOND_NANOS;
  private static final byte[] FAMILY = Bytes.toBytes("v");
  private static final byte[] NONE = new byte[0];
  private static final TableName NAME = TableName.valueOf("doubles");

  private MiniClusterDoubles() {}

  /** Runs the measurement. */
  public static void main(String[] args) throws Exception {
    int seconds = Integer.parseInt(args[0]);
    String answer;
    try (MiniCluster miniCluster = new MiniCluster()) {
      HBaseTestingUtility cluster = miniCluster.hbase();
      cluster
          .getAdmin()
          .createTable(
              TableDescriptorBuilder.newBuilder(NAME)
                  .setColumnFamily(
                      ColumnFamilyDescriptorBuilder.newBuilder(FAMILY)
                          .setDataBlockEncoding(DataBlockEncoding.FAST_DIFF)
                          .setCompressionType(Compression.Algorithm.GZ)
                          .build())
                  .build());
      List<Double> in = in(cluster, seconds);
      cluster.getAdmin().flush(NAME);
      out(cluster, seconds, 1);
      List<Double> out = out(cluster, seconds, 7);
      answer =
          "{\"samples\": {\"in\": "
              + in
              + ", \"out\": "
              + out
              + "}, \"versions\": {\"HBase\": \""
              + org.apache.hadoop.hbase.util.VersionInfo.getVersion()
              + "\"}}";
    }
    System.out.println(answer);
    System.out.flush();
    // Threads of the cluster would keep the JVM running.
    Runtime.getRuntime().halt(0);
  }

  private static byte[] key(int channel, long second) {
    return Bytes.add(
        Bytes.toBytes("JP:DOUBLE:" + channel + "\0"),
        Bytes.toBytes(BEGIN_NANOS + second * SECOND_NANOS + channel * (SECOND_NANOS / CHANNELS)));
  }

  /**
   * Returns the rate of writing in thousands of values per second, for each tenth of the values.
   */
  private static List<Double> in(HBaseTestingUtility cluster, int seconds) throws Exception {
    Random random = new Random(1);
    List<Double> rates = new ArrayList<>();
    for (int part = 0; part < 10; part++) {
      long values = 0;
      long begin = System.nanoTime();
      try (BufferedMutator mutator = cluster.getConnection().getBufferedMutator(NAME)) {
        for (long second = part * seconds / 10; second < (part + 1) * seconds / 10; second++) {
          for (int channel = 0; channel < CHANNELS; channel++) {
            byte[] value = Bytes.toBytes(random.nextDouble());
            mutator.mutate(new Put(key(channel, second)).addColumn(FAMILY, NONE, value));
            values++;
          }
        }
      }
      rates.add(values / ((System.nanoTime() - begin) / 1e6));
    }
    return rates;
  }

  /** Returns the rate of reading in thousands of values per second, for each repetition. */
  private static List<Double> out(HBaseTestingUtility cluster, int seconds, int times)
      throws Exception {
    Random seeds = new Random(1);
    List<Double> rates = new ArrayList<>();
    for (int i = 0; i < times; i++) {
      ExecutorService executor = Executors.newFixedThreadPool(READERS);
      long begin = System.nanoTime();
      List<Future<Long>> parts = new ArrayList<>();
      for (int reader = 0; reader < READERS; reader++) {
        long seed = seeds.nextLong();
        parts.add(executor.submit(() -> read(cluster, seconds, new Random(seed))));
      }
      long values = 0;
      for (Future<Long> part : parts) {
        values += part.get();
      }
      rates.add(values / ((System.nanoTime() - begin) / 1e6));
      executor.shutdown();
    }
    return rates;
  }

  private static long read(HBaseTestingUtility cluster, int seconds, Random random)
      throws Exception {
    long values = 0;
    try (Table table = cluster.getConnection().getTable(NAME)) {
      for (int i = 0; i < CHANNELS_AT_ONCE; i++) {
        int channel = random.nextInt(CHANNELS);
        Scan scan =
            new Scan()
                .withStartRow(key(channel, 0))
                .withStopRow(key(channel, seconds))
                .setCaching(10_000);
        try (ResultScanner scanner = table.getScanner(scan)) {
          while (scanner.next() != null) {
            values++;
          }
        }
      }
    }
    return values;
  }
}
