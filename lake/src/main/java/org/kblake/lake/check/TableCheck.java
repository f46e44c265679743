package org.kblake.lake.check;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.exceptions.NotFoundException;
import org.apache.iceberg.exceptions.RuntimeIOException;
import org.jspecify.annotations.Nullable;
import org.kblake.core.log.LogSpan;
import org.kblake.core.store.EventFile;
import org.kblake.core.store.StoredBlock;
import org.kblake.lake.publish.FileHash;
import org.kblake.lake.table.DataName;
import org.kblake.lake.table.LakeTable;
import org.kblake.lake.table.Provenance;

/**
 * Compares a table with the store. Each data file must have the hash of its provenance. If the
 * store has its block, the block's file must have the hash that it had when it was published, or
 * the rows of both must have the same hash. No two files may have the same span of the log.
 */
final class TableCheck {

  private final LakeTable table;
  private final List<StoredBlock> blocks;
  private final CheckListener listener;
  private final RowHash rows = new RowHash();
  private final List<LogSpan> covered = new ArrayList<>();

  /**
   * @param blocks the group's blocks in use; empty if there is no store
   */
  TableCheck(LakeTable table, List<StoredBlock> blocks, CheckListener listener) {
    this.table = table;
    this.blocks = blocks;
    this.listener = listener;
  }

  void run() throws IOException, InterruptedException {
    List<DataFile> live = table.liveFiles();
    try {
      table.requireOwn(live);
    } catch (IOException e) {
      listener.wrong(String.valueOf(e.getMessage()));
    }
    Set<String> present = new HashSet<>();
    for (DataFile file : live) {
      present.add(file.location());
      checkLive(file);
    }
    for (String path : table.neededFiles()) {
      if (!present.contains(path)) {
        Provenance provenance = checkBytes(path);
        if (provenance != null) {
          listener.unchanged();
        }
      }
    }
  }

  private void checkLive(DataFile file) throws IOException, InterruptedException {
    String path = file.location();
    Provenance provenance = checkBytes(path);
    if (provenance == null) {
      return;
    }
    try (EventFile content = table.open(path)) {
      long found = content.rows();
      if (found != file.recordCount() || content.bytes() != file.fileSizeInBytes()) {
        wrong(
            path,
            found + " rows, " + content.bytes() + " bytes",
            file.recordCount() + " rows, " + file.fileSizeInBytes() + " bytes as in the manifest");
        return;
      }
      for (LogSpan span : provenance.logSpans()) {
        if (covered.stream().anyMatch(span::meets)) {
          wrong(path, "the events of " + span + " twice in the table", "once");
          return;
        }
        covered.add(span);
      }
      StoredBlock block = block(provenance, path);
      if (block == null) {
        listener.unchanged();
      } else {
        checkAgainst(block, provenance, content);
      }
    }
  }

  /** Compares the bytes of a data file with its provenance. Returns null if something is wrong. */
  private @Nullable Provenance checkBytes(String path) throws IOException, InterruptedException {
    Provenance provenance;
    String sha256;
    try (InputStream in = table.io().newInputFile(path).newStream()) {
      provenance = table.provenance(path);
      sha256 = FileHash.of(in, listener::read);
    } catch (NotFoundException e) {
      wrong(path, "no file", "a data file");
      return null;
    } catch (IOException | RuntimeIOException e) {
      wrong(path, e.getMessage(), "a data file and its provenance");
      return null;
    }
    if (!sha256.equals(provenance.file().sha256())) {
      wrong(path, "SHA-256 " + sha256, provenance.file().sha256() + " as when it was published");
      return null;
    }
    return provenance;
  }

  /** Returns the block that a data file was made of, if the store has it. */
  private @Nullable StoredBlock block(Provenance provenance, String path) {
    DataName name = DataName.parse(path);
    for (StoredBlock block : blocks) {
      if (name != null && name.isMadeOf(block, provenance.block())) {
        return block;
      }
    }
    return null;
  }

  private void checkAgainst(StoredBlock block, Provenance provenance, EventFile content)
      throws IOException, InterruptedException {
    Path source = block.directory().resolve(table.kind().fileName());
    try {
      String sha256;
      try (InputStream in = Files.newInputStream(source)) {
        sha256 = FileHash.of(in, unused -> {});
      }
      if (!provenance.rewritten() && sha256.equals(provenance.source().sha256())) {
        listener.proven();
        return;
      }
      BitSet segments = block.segmentsIn(provenance.logSpans());
      String expected;
      try (EventFile stored = EventFile.open(source)) {
        expected = rows.of(stored, segments);
      }
      String found = rows.of(content, null);
      if (found.equals(expected)) {
        listener.proven();
      } else {
        wrong(content.file().toString(), found, expected + " as in " + source);
      }
    } catch (IOException e) {
      if (block.isRemoved()) {
        listener.unchanged();
      } else {
        listener.problem("data file cannot be compared with its block: " + e.getMessage());
      }
    }
  }

  private void wrong(String path, @Nullable String found, String expected) {
    listener.wrong(
        "data file is wrong: table="
            + table
            + ", file="
            + path
            + ", found "
            + found
            + ", expected "
            + expected);
  }
}
