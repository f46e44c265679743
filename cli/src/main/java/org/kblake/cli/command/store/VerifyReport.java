package org.kblake.cli.command.store;

import java.io.IOException;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.kblake.cli.command.shared.NamedValues;
import org.kblake.cli.frame.Session;
import org.kblake.cli.progress.Progress;
import org.kblake.core.internal.store.block.Block;
import org.kblake.core.internal.store.block.StoredSegment;
import org.kblake.core.model.Group;
import org.kblake.format.argument.ByteSize;
import org.kblake.ingest.internal.verify.Verify;

/** Shows the progress of a verification on standard error, and collects its results. */
final class VerifyReport implements Verify.Listener, AutoCloseable {

  private static final String TASK = "verify";

  private final Session session;
  private final Map<Path, Verification.Result> sound = new HashMap<>();
  private Progress progress;
  private List<Block> planned = List.of();
  private long plannedBytes;
  private long provedBytes;
  private int failures;

  /** A line for each log that has lost its end, or whose copy cannot be read. */
  private final Set<String> lost = new LinkedHashSet<>();

  VerifyReport(Session session) {
    this.session = session;
    progress = session.progress(TASK, 0);
  }

  /** Returns the number of blocks that reproduce their log. */
  int againstLogs() {
    return count(Verification.Result.log);
  }

  /** Returns the number of blocks that reproduce the stored hashes of their log. */
  int againstHashes() {
    return count(Verification.Result.hashes);
  }

  private int count(Verification.Result result) {
    return (int) sound.values().stream().filter(result::equals).count();
  }

  /** Returns how far the work got. */
  String extent() {
    return "%d of %d blocks are right and %d wrong so far, %s of %s of log"
        .formatted(
            sound.size(),
            planned.size(),
            failures,
            new ByteSize(provedBytes),
            new ByteSize(plannedBytes));
  }

  /** Returns the result of a run in a sentence. */
  String verdict(Verify.Summary summary) {
    if (summary.failed() > 0) {
      return NamedValues.count(summary.blocks(), "block")
          + " verified, %d wrong".formatted(summary.failed())
          + (summary.discarded() == 0
              ? "; standard error names them"
              : ", %d of them discarded; kblake backfill makes these again"
                  .formatted(summary.discarded()));
    }
    if (sound.isEmpty()) {
      return "there is no block to verify";
    }
    int logs = againstLogs();
    int hashes = againstHashes();
    if (!lost.isEmpty()) {
      return NamedValues.count(logs + hashes, "block")
          + " verified; incomplete: standard error says why";
    }
    if (logs == 0) {
      return NamedValues.count(hashes, "block") + " proved by the stored hashes of their logs";
    }
    return NamedValues.count(logs, "block")
        + " proved byte for byte against their logs"
        + (hashes == 0 ? "" : ", " + hashes + " by hashes");
  }

  /** Returns the results of the blocks that are still in the store, or were wrong. */
  List<Verification.Entry> entries() throws IOException {
    List<Verification.Entry> entries = new ArrayList<>();
    for (Block block : planned) {
      Verification.Result result = sound.getOrDefault(block.directory(), Verification.Result.wrong);
      entries.add(
          new Verification.Entry(
              block.group().toString(),
              String.valueOf(block.directory().getFileName()),
              block.summary().events(),
              block.summary().rawBytes(),
              result == Verification.Result.wrong ? "" : sha256(block),
              result));
    }
    entries.sort(Comparator.comparing(Verification.Entry::name));
    return entries;
  }

  private static String sha256(Block block) throws IOException {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      for (StoredSegment segment : block.segments()) {
        digest.update(segment.sha256());
      }
      return HexFormat.of().formatHex(digest.digest());
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every JDK has it", e);
    }
  }

  @Override
  public void planned(List<Block> blocks, long rawBytes) {
    planned = blocks;
    plannedBytes = rawBytes;
    progress = session.progress(TASK, rawBytes);
  }

  @Override
  public void proved(Group group, long rawBytes) {
    provedBytes += rawBytes;
    progress.advance(rawBytes, 0);
  }

  @Override
  public void sound(Block block, boolean againstLog) {
    sound.put(block.directory(), againstLog ? Verification.Result.log : Verification.Result.hashes);
  }

  @Override
  public void failed(Group group, String message) {
    failures++;
    progress.printLine(group + ": wrong: " + message);
  }

  @Override
  public void note(Group group, String message) {
    progress.printLine(group + ": " + message);
  }

  @Override
  public void lost(Group group, String message) {
    if (lost.add(message)) {
      progress.printLine(session.incompleteLine(group + ": " + message));
    }
  }

  /** Returns whether it is known that the logs of all blocks have their ends. */
  boolean isComplete() {
    return lost.isEmpty();
  }

  /** Ends the progress. */
  @Override
  public void close() {
    progress.close();
    progress = session.progress(TASK, 0);
  }
}
