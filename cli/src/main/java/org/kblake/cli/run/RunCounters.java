package org.kblake.cli.run;

import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import org.kblake.core.model.Group;
import org.kblake.core.store.Access;
import org.kblake.core.store.Block;
import org.kblake.ingest.live.LiveListener;

/** Logs and counts what the process does, from its begin to its end. */
final class RunCounters implements LiveListener {

  private final RunLog log;
  private final LongAdder blocks = new LongAdder();
  private final LongAdder events = new LongAdder();
  private final LongAdder rawBytes = new LongAdder();
  private final LongAdder storedBytes = new LongAdder();
  private final LongAdder discarded = new LongAdder();
  private final LongAdder evicted = new LongAdder();
  private final LongAdder problems = new LongAdder();
  private final LongAdder columnsReadBytes = new LongAdder();
  private final LongAdder logsReadBytes = new LongAdder();

  RunCounters(RunLog log) {
    this.log = log;
  }

  RunStatus.Counters now() {
    return new RunStatus.Counters(
        blocks.sum(),
        events.sum(),
        rawBytes.sum(),
        storedBytes.sum(),
        discarded.sum(),
        evicted.sum(),
        problems.sum(),
        columnsReadBytes.sum(),
        logsReadBytes.sum());
  }

  @Override
  public void sealed(Block block, long bytes) {
    blocks.increment();
    events.add(block.facts().events());
    rawBytes.add(block.facts().rawBytes());
    storedBytes.add(bytes);
    log.info(
        "block sealed",
        "group",
        block.group(),
        "block",
        block.directory().getFileName(),
        "events",
        block.facts().events(),
        "rawBytes",
        block.facts().rawBytes(),
        "storedBytes",
        bytes);
  }

  @Override
  public void merged(List<Block> smaller, Block block, long bytes) {
    storedBytes.add(bytes);
    log.info(
        "blocks merged",
        "group",
        block.group(),
        "blocks",
        smaller.size(),
        "block",
        block.directory().getFileName(),
        "storedBytes",
        bytes);
  }

  @Override
  public void discarded(Block block, String why) {
    discarded.increment();
    log.warn(
        "block discarded, it is made again",
        "group",
        block.group(),
        "block",
        block.directory().getFileName(),
        "reason",
        why);
  }

  @Override
  public void evicted(Block block, long bytes) {
    evicted.increment();
    log.info(
        "block evicted",
        "group",
        block.group(),
        "block",
        block.directory().getFileName(),
        "storedBytes",
        bytes);
  }

  @Override
  public void read(Access access) {
    (access.fromColumns() ? columnsReadBytes : logsReadBytes).add(access.logBytes());
  }

  @Override
  public void problem(Group group, String message) {
    problems.increment();
    log.warn("problem", "group", group, "problem", message);
  }

  @Override
  public void over(Group group, String message) {
    log.info("problem is over", "group", group, "problem", message);
  }
}
