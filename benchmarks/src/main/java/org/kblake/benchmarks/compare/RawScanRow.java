package org.kblake.benchmarks.compare;

import java.io.IOException;
import java.nio.ByteOrder;
import java.util.List;
import org.kblake.benchmarks.BenchmarkData;
import org.kblake.benchmarks.ScanBenchmark;
import org.kblake.benchmarks.measure.Aim;
import org.kblake.benchmarks.measure.Figure;
import org.kblake.benchmarks.measure.Line;
import org.kblake.benchmarks.measure.Measurement;
import org.kblake.benchmarks.measure.Numbers;
import org.kblake.benchmarks.measure.Row;
import org.kblake.benchmarks.measure.Unit;
import org.kblake.core.internal.log.pair.PairLog;
import org.kblake.core.layout.RecordEntry;

/** The scan of a log for one channel, beside a walk without checks. */
final class RawScanRow implements Row {

  @Override
  public int number() {
    return 1;
  }

  @Override
  public String name() {
    return "raw-scan";
  }

  @Override
  public String title() {
    return "Raw scan: one channel of 1,000, one thread, all checks on";
  }

  @Override
  public String data(Measurement measurement) {
    return "rf-year, " + Numbers.plain(BenchmarkData.days()) + " days, seed 1, in the page cache";
  }

  @Override
  public List<Line> measure(Measurement measurement) throws IOException, InterruptedException {
    PairLog log = BenchmarkData.rfYearPair();
    double mebibytes = log.logBytes() / 0x1p20;
    RecordEntry record = log.records().entry(log.records().size() / 2);
    Figure ours = measurement.kernel(ScanBenchmark.class, "oneChannel").millis();
    Figure limit =
        measurement
            .peer(
                "walk",
                log.pair().logPath().toString(),
                Integer.toString(record.id()),
                log.order() == ByteOrder.BIG_ENDIAN ? "big" : "little")
            .ask()
            .figure(
                "walk", "a C program that walks the same mapping, no checks", Unit.MILLISECONDS);
    Figure sum = measurement.kernel(ScanBenchmark.class, "sumLongs").millis();
    return List.of(
        measurement.line(
            Line.of(
                "raw scan",
                ours.asRateOf(mebibytes),
                limit.asRateOf(mebibytes),
                Aim.timesBetter(0.9))),
        measurement.line(
            Line.of(
                "raw scan",
                ours.asRateOf(mebibytes),
                sum.named("Java that sums the same mapping as longs").asRateOf(mebibytes),
                Aim.NONE)));
  }
}
