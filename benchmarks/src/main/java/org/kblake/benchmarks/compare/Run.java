package org.kblake.benchmarks.compare;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.kblake.benchmarks.BenchmarkData;

/** What a row is measured with: how much, where, and whom to ask. */
final class Run {

  private final Size size;
  private final @Nullable Path peers;
  private final PrintStream out;
  private final Map<String, String> versions = new TreeMap<>();
  private final List<String> proofs = new ArrayList<>();
  private final List<ChartDetail> details = new ArrayList<>();

  /**
   * @param peers the directory of peers that are ready to be asked; null to ask none
   * @param out hears of figures as they come
   */
  Run(Size size, @Nullable Path peers, PrintStream out) {
    this.size = size;
    this.peers = peers;
    this.out = out;
  }

  Size size() {
    return size;
  }

  /** Where data are made. */
  Path data() {
    return BenchmarkData.directory().toAbsolutePath();
  }

  Map<String, String> versions() {
    return versions;
  }

  List<String> proofs() {
    return proofs;
  }

  List<ChartDetail> details() {
    return details;
  }

  /** Keeps a figure that tables have no room for. */
  void detail(String panel, String group, String bar, Figure figure) {
    out.printf("    %s, %s, %s: %s%n", panel, group, bar, shown(figure));
    details.add(new ChartDetail(panel, group, bar, figure));
  }

  /** A benchmark of kblake. */
  JmhBenchmark kernel(Class<?> benchmark, String method) {
    return new JmhBenchmark(size, benchmark, method);
  }

  /** A program that is no part of kblake. */
  Peer peer(String... command) {
    return new Peer(peers, versions, List.of(command));
  }

  /**
   * Takes files out of the page cache; what proves it is kept with the results. Files stay where
   * they are if the size is the smallest.
   */
  void evict(List<Path> files) throws IOException, InterruptedException {
    if (size != Size.TINY) {
      proofs.add(ColdFiles.evict(files));
    }
  }

  /** Shows a line as soon as it is there, and hands it back. */
  Line line(Line line) {
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
