package org.kblake.simulate;

import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.kblake.simulate.channel.Signal;
import org.kblake.simulate.machine.Machine;
import org.kblake.simulate.machine.Schedule;
import org.kblake.simulate.machine.SplitMix;
import org.kblake.simulate.machine.Step;
import org.kblake.simulate.preset.SimulatedGroup;

/** The simulation of one group from its first to its last second, step after step. */
final class GroupSimulation implements AutoCloseable {

  private static final long STARTING_NANOS = 2 * Machine.SECOND_NANOS;
  private static final int CLOCK_SHIFT = 44;
  private static final long RESERVE_BYTES = 8L << 20;
  private static final int RESERVE_SECONDS = 10 * Step.MAX_SECONDS;

  private final Schedule schedule;
  private final List<SimulatedIoc> iocs = new ArrayList<>();
  private final GroupRecorder recorder;
  private final Machine machine;
  private final Step step = new Step();
  private final SplitMix random;
  private final long reserveBytes;
  private final long endNanos;
  private long nowNanos;

  /** The end of the step that is being written; {@code nowNanos} if none is. */
  private long stepEndNanos;

  private int arrived;
  private int written;
  private long nextMilestoneNanos;
  private long nextPairNanos;
  private long pauseNanos;
  private long resumeNanos;

  /**
   * @param cause the cause of an abort in any group; null for none
   */
  GroupSimulation(SimulationSettings settings, SimulatedGroup plan, @Nullable AbortCause cause) {
    schedule = settings.preset().schedule();
    long seed = SplitMix.derive(settings.seed(), settings.preset().text());
    Instant abort = settings.abort();
    machine =
        new Machine(
            SplitMix.derive(seed, "machine"),
            settings.zone(),
            abort == null ? Long.MIN_VALUE : abort.getEpochSecond() * Machine.SECOND_NANOS);
    long groupSeed = SplitMix.derive(seed, plan.group().toString());
    random = new SplitMix(SplitMix.derive(groupSeed, "archiver"));
    List<Signal> signals = new ArrayList<>();
    for (SimulatedGroup.PlannedChannel channel : plan.channels()) {
      long channelSeed = SplitMix.derive(groupSeed, channel.name());
      signals.add(channel.kind().create(signals.size(), channelSeed));
    }
    if (cause != null && cause.channel().group().equals(plan.group())) {
      for (int i = 0; i < signals.size(); i++) {
        if (plan.channels().get(i).name().equals(cause.channel().name())) {
          signals.get(i).cause(cause.onsetNanos(), cause.sigmas());
        }
      }
    }
    for (int from = 0; from < signals.size(); from += plan.iocChannels()) {
      int to = Math.min(signals.size(), from + plan.iocChannels());
      long stationSeed = SplitMix.derive(groupSeed, iocs.size());
      iocs.add(new SimulatedIoc(signals.subList(from, to), schedule, stationSeed));
    }
    recorder = new GroupRecorder(settings, plan, signals);
    long expected = (long) (plan.bytesPerSecond() * RESERVE_SECONDS) + 2 * plan.milestoneBytes();
    reserveBytes = RESERVE_BYTES + expected;
    nowNanos = settings.start().getEpochSecond() * Machine.SECOND_NANOS;
    endNanos = nowNanos + settings.length().toSeconds() * Machine.SECOND_NANOS;
    stepEndNanos = nowNanos;
    resumeNanos = nowNanos;
  }

  /**
   * Simulates a minute, or the remaining time if it is shorter.
   *
   * @return false at the end of the simulation
   */
  boolean advance() throws IOException {
    return advance(Long.MAX_VALUE);
  }

  /**
   * Writes what the archiver receives before a time, at most a minute of it. Each minute is
   * simulated as a whole, so that the bytes do not depend on the times of the calls.
   *
   * @param untilNanos the time; not earlier than that of the last call
   * @return false if everything before this time is written, or at the end of the simulation
   */
  boolean advance(long untilNanos) throws IOException {
    long toNanos = Math.min(untilNanos, endNanos);
    if (nowNanos >= toNanos) {
      return false;
    }
    if (stepEndNanos == nowNanos) {
      beginStep();
    }
    while (written < arrived && step.arrivalNanos(step.at(written)) < toNanos) {
      recorder.event(step, step.at(written));
      written++;
    }
    if (toNanos < stepEndNanos) {
      return false;
    }
    nowNanos = stepEndNanos;
    if (nowNanos == endNanos && recorder.recording()) {
      recorder.end(endNanos);
    }
    return nowNanos < toNanos;
  }

  /** Passes everything that was written to the files. */
  void flush() throws IOException {
    recorder.flush();
  }

  /** Ends the present pair at a time before the end of the simulation. */
  void stop(long nanos) throws IOException {
    if (recorder.recording()) {
      recorder.end(nanos);
    }
  }

  private void beginStep() throws IOException {
    stepEndNanos = Math.min(endNanos, nowNanos + Step.MAX_SECONDS * Machine.SECOND_NANOS);
    arrived = 0;
    written = 0;
    machine.advance(nowNanos, (int) ((stepEndNanos - nowNanos) / Machine.SECOND_NANOS));
    if (recorder.recording() && nowNanos >= pauseNanos) {
      pause();
    }
    if (!recorder.recording() && nowNanos >= resumeNanos) {
      resume();
    }
    if (recorder.recording()) {
      writeMilestoneIfDue();
      simulate(stepEndNanos);
    }
  }

  private void pause() throws IOException {
    recorder.end(nowNanos);
    step.clear();
    double seconds = schedule.pauseSeconds() + random.waiting(schedule.pauseSeconds());
    resumeNanos = nowNanos + wholeSteps(seconds);
  }

  /** Starts the archiver without values. The archiver then searches for all its channels. */
  private void resume() throws IOException {
    recorder.begin(nowNanos, clock());
    for (SimulatedIoc ioc : iocs) {
      ioc.start(nowNanos + STARTING_NANOS);
    }
    nextMilestoneNanos = nowNanos + nanos(schedule.milestoneSeconds());
    nextPairNanos = nowNanos + nanos(schedule.pairSeconds());
    pauseNanos = nowNanos + wholeSteps(random.waiting(schedule.meanSecondsBetweenPauses()));
  }

  /** Writes a milestone or begins a pair when it is due. */
  private void writeMilestoneIfDue() throws IOException {
    if (nowNanos >= nextPairNanos || recorder.freeBytes() < reserveBytes) {
      recorder.rotate(nowNanos, clock());
      nextPairNanos = nowNanos + nanos(schedule.pairSeconds());
      nextMilestoneNanos = nowNanos + nanos(schedule.milestoneSeconds());
    } else if (nowNanos >= nextMilestoneNanos) {
      recorder.milestone(clock());
      nextMilestoneNanos += nanos(schedule.milestoneSeconds());
    }
  }

  private void simulate(long toNanos) {
    step.begin(nowNanos);
    for (SimulatedIoc ioc : iocs) {
      ioc.run(step, machine, toNanos);
    }
    arrived = step.sort(toNanos);
  }

  /** Returns the time of a due milestone, which the archiver writes at most a millisecond late. */
  private long clock() {
    return nowNanos + (random.next() >>> CLOCK_SHIFT);
  }

  private static long nanos(long seconds) {
    return seconds * Machine.SECOND_NANOS;
  }

  private static long wholeSteps(double seconds) {
    long steps = (long) (seconds / Step.MAX_SECONDS + 1);
    return nanos(steps * Step.MAX_SECONDS);
  }

  /** Returns the size of all logs so far in bytes. */
  long logBytes() {
    return recorder.logBytes();
  }

  /** Returns the summary, after the end. */
  SimulationSummary summary() {
    return recorder.summary();
  }

  @Override
  public void close() throws IOException {
    recorder.close();
  }
}
