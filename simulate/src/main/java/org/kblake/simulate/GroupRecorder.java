package org.kblake.simulate;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.kblake.core.layout.RecordEntry;
import org.kblake.core.layout.RecordTable;
import org.kblake.core.log.LogWriter;
import org.kblake.core.log.PairName;
import org.kblake.core.model.EventState;
import org.kblake.core.model.ValueType;
import org.kblake.simulate.channel.Signal;
import org.kblake.simulate.channel.SignalKind;
import org.kblake.simulate.machine.PackedStatus;
import org.kblake.simulate.machine.Step;
import org.kblake.simulate.preset.SimulatedGroup;

/** The archiver of a group. It writes one pair after the other. */
final class GroupRecorder implements Closeable {

  private final SimulationSettings settings;
  private final SimulatedGroup plan;
  private final List<Signal> signals;
  private final RecordTable records;
  private final ValueType[] types;
  private final boolean[] waveforms;
  private final long[] elements;
  private @Nullable LogWriter writer;
  private @Nullable PairName name;
  private int pairs;
  private long events;
  private long milestones;
  private long closedBytes;

  GroupRecorder(SimulationSettings settings, SimulatedGroup plan, List<Signal> signals) {
    this.settings = settings;
    this.plan = plan;
    this.signals = signals;
    List<RecordEntry> entries = new ArrayList<>();
    int size = plan.channels().size();
    types = new ValueType[size];
    waveforms = new boolean[size];
    int longest = 0;
    for (int ordinal = 0; ordinal < size; ordinal++) {
      SimulatedGroup.PlannedChannel channel = plan.channels().get(ordinal);
      SignalKind kind = channel.kind();
      entries.add(new RecordEntry(ordinal, channel.name(), kind.type(), kind.elementCount()));
      types[ordinal] = kind.type();
      waveforms[ordinal] = kind.elementCount() > 1;
      longest = Math.max(longest, kind.elementCount());
    }
    records = new RecordTable(entries);
    elements = new long[longest];
  }

  /**
   * Begins a pair with a milestone without values, as after a start of the archiver.
   *
   * @param nanos the begin of the pair, which its name contains
   * @param milestoneNanos the time of the milestone
   */
  void begin(long nanos, long milestoneNanos) throws IOException {
    create(nanos);
    milestone(milestoneNanos);
  }

  /** Closes the current pair, and begins the next one with its values. */
  void rotate(long nanos, long milestoneNanos) throws IOException {
    LogWriter before = writer();
    end(nanos);
    create(nanos).continueFrom(before);
    milestone(milestoneNanos);
  }

  private LogWriter create(long nanos) throws IOException {
    name = PairName.at(plan.group().name(), nanos, settings.zone());
    LogWriter created =
        LogWriter.create(settings.root(), plan.group(), name.stamp(), plan.byteOrder(), records);
    writer = created;
    pairs++;
    return created;
  }

  void milestone(long nanos) throws IOException {
    writer().milestone(nanos);
    milestones++;
  }

  /** Writes an event of a step. */
  void event(Step step, int at) throws IOException {
    events++;
    LogWriter to = writer();
    int ordinal = step.ordinal(at);
    int packedStatus = step.packedStatus(at);
    long nanos = step.timeNanos(at);
    int severity = PackedStatus.severity(packedStatus);
    int status = PackedStatus.status(packedStatus);
    int state = PackedStatus.state(packedStatus);
    if (state != EventState.VALUE_CODE) {
      boolean connected = state == EventState.CONNECTED.code();
      to.connection(ordinal, nanos, connected, severity, status);
    } else if (waveforms[ordinal]) {
      int count = signals.get(ordinal).elements(step.bits(at), elements);
      to.numbers(ordinal, nanos, severity, status, elements, 0, count);
    } else if (types[ordinal] == ValueType.STRING) {
      to.text(ordinal, nanos, severity, status, signals.get(ordinal).text(step.bits(at)));
    } else {
      to.number(ordinal, nanos, severity, status, step.bits(at));
    }
  }

  /** Passes everything that was written to the files. */
  void flush() throws IOException {
    if (writer != null) {
      writer.flush();
    }
  }

  boolean recording() {
    return writer != null;
  }

  /** Returns the number of bytes by which the current pair's log may still grow. */
  long freeBytes() {
    return writer().freeBytes();
  }

  /** Returns the size of all logs so far in bytes. */
  long logBytes() {
    return closedBytes + (writer == null ? 0 : writer.logBytes());
  }

  /** Closes the current pair, and sets the modification time of its files. */
  void end(long nanos) throws IOException {
    closedBytes += writer().logBytes();
    close();
    if (name != null) {
      Path directory = settings.root().resolve(plan.group().system());
      touch(directory.resolve(name.indexFile()), nanos);
      touch(directory.resolve(name.logFile()), nanos);
    }
  }

  static void touch(Path file, long nanos) throws IOException {
    Files.setLastModifiedTime(file, FileTime.from(nanos, TimeUnit.NANOSECONDS));
  }

  SimulationSummary summary() {
    return new SimulationSummary(1, records.size(), pairs, events, milestones, closedBytes);
  }

  @Override
  public void close() throws IOException {
    if (writer != null) {
      LogWriter closing = writer;
      writer = null;
      closing.close();
    }
  }

  private LogWriter writer() {
    if (writer == null) {
      throw new IllegalStateException("no pair is open: group=" + plan.group());
    }
    return writer;
  }
}
