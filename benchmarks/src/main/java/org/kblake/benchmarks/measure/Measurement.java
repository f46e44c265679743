package org.kblake.benchmarks.measure;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.kblake.benchmarks.BenchmarkData;

/** The context of a measurement: the size of data, their directory, and the peers. */
public final class Measurement {

  private final Size size;
  private final @Nullable Path peers;
  private final PrintStream out;
  private final Map<String, String> versions = new TreeMap<>();
  private final List<String> proofs = new ArrayList<>();
  private final List<ChartDetail> details = new ArrayList<>();

  /**
   * @param peers the directory of peers; null to measure no peers
   * @param out receives each figure when it is measured
   */
  public Measurement(Size size, @Nullable Path peers, PrintStream out) {
    this.size = size;
    this.peers = peers;
    this.out = out;
  }

  public Size size() {
    return size;
  }

  /** Returns the stream to which each figure is printed when it is measured. */
  public PrintStream out() {
    return out;
  }

  /** Returns the directory of the peers, or null if no peers are measured. */
  public @Nullable Path peers() {
    return peers;
  }

  /** Returns the directory of the data. */
  public Path data() {
    return BenchmarkData.directory().toAbsolutePath();
  }

  public Map<String, String> versions() {
    return versions;
  }

  public List<String> proofs() {
    return proofs;
  }

  public List<ChartDetail> details() {
    return details;
  }

  /** Adds a figure for charts that is not in a table. */
  public void detail(String panel, String group, String bar, Figure figure) {
    out.printf("    %s, %s, %s: %s%n", panel, group, bar, shown(figure));
    details.add(new ChartDetail(panel, group, bar, figure));
  }

  /** Returns a benchmark of kblake. */
  public JmhBenchmark kernel(Class<?> benchmark, String method) {
    return new JmhBenchmark(size, benchmark, method);
  }

  /** Returns a program that is not part of kblake. */
  public Peer peer(String... command) {
    return new Peer(peers, versions, List.of(command));
  }

  /**
   * Evicts files from the page cache, and stores the proof with the results. With the smallest size
   * it does nothing.
   */
  public void evict(List<Path> files) throws IOException, InterruptedException {
    if (size != Size.TINY) {
      proofs.add(ColdFiles.evict(files));
    }
  }

  /** Prints a line, and returns it. */
  public Line line(Line line) {
    Figure beside = line.beside();
    String peer =
        beside == null
            ? ""
            : beside.of() + " " + shown(beside) + ", " + Numbers.plain(line.ratio()) + " x";
    out.printf(
        "  %-50s %-34s %s %s%n", line.what(), shown(line.ours()), peer, line.aim().outcome(line));
    return line;
  }

  private static String shown(Figure figure) {
    return figure.measured() ? Numbers.spread(figure) : "not measured: " + figure.because();
  }
}
