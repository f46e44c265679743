package org.kblake.lake.check;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.time.ZoneId;
import java.util.List;
import java.util.stream.Stream;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.exceptions.NotFoundException;
import org.apache.iceberg.exceptions.RuntimeIOException;
import org.jspecify.annotations.Nullable;
import org.kblake.core.metadata.GroupMetadata;
import org.kblake.core.model.Group;
import org.kblake.core.store.StoreReader;
import org.kblake.core.store.StoredBlock;
import org.kblake.lake.facts.FactRows;
import org.kblake.lake.facts.GroupFacts;
import org.kblake.lake.facts.PublishedSpan;
import org.kblake.lake.facts.PublishedSpanReader;
import org.kblake.lake.publish.FileHash;
import org.kblake.lake.table.DataName;
import org.kblake.lake.table.LakeCatalog;
import org.kblake.lake.table.LakeTable;
import org.kblake.lake.table.Provenance;
import org.kblake.lake.table.RowFile;
import org.kblake.lake.table.SiteTable;

/**
 * Compares the coverage and the channels of a group with the store. The data files have the hash
 * that they had when they were published. The spans of the log are those of the store's blocks, and
 * the coverage follows from them.
 */
final class FactCheck {

  /** The columns of the channels that come from record tables. */
  private static final String[] RECORDED = {"name", "type", "elements", "table", "since", "until"};

  private final StoreReader store;
  private final LakeCatalog catalog;
  private final List<StoredBlock> blocks;
  private final CheckListener listener;

  /**
   * @param blocks the group's blocks in use
   */
  FactCheck(
      StoreReader store, LakeCatalog catalog, List<StoredBlock> blocks, CheckListener listener) {
    this.store = store;
    this.catalog = catalog;
    this.blocks = blocks;
    this.listener = listener;
  }

  void run(Group group) throws IOException, InterruptedException {
    GroupFacts known = null;
    LakeTable coverage = catalog.find(SiteTable.COVERAGE);
    if (coverage != null) {
      for (DataFile file : coverage.liveFiles(group)) {
        GroupFacts facts = checkBytes(coverage, file);
        if (facts != null && isProven(coverage, file, facts)) {
          known = facts;
        }
      }
    }
    LakeTable rollup = catalog.find(SiteTable.ROLLUP);
    if (rollup != null) {
      for (DataFile file : rollup.liveFiles(group)) {
        checkRollup(rollup, file);
      }
    }
    LakeTable channels = catalog.find(SiteTable.CHANNELS);
    if (channels != null) {
      for (DataFile file : channels.liveFiles(group)) {
        if (checkBytes(channels, file) != null) {
          checkChannels(channels, file, known);
        }
      }
    }
  }

  /** Compares the coverage with the blocks. Returns whether the store has some of them. */
  private boolean isProven(LakeTable table, DataFile file, GroupFacts facts) throws IOException {
    if (!RowFile.read(table, file.location()).equals(FactRows.coverage(facts))) {
      wrong(table, file, "other spans", "those of its parts of the log");
      return false;
    }
    int proven = 0;
    for (StoredBlock block : blocks) {
      List<PublishedSpan> publishedSpans = facts.of(block);
      // The rest of the block may be in spans of one that was evicted.
      for (PublishedSpan published : publishedSpans) {
        if (!isOf(block, published)) {
          wrong(table, file, "other times of " + block.directory(), "those of the block");
          return false;
        }
      }
      proven += publishedSpans.isEmpty() ? 0 : 1;
    }
    if (proven == 0) {
      listener.unchanged();
    } else {
      listener.proven();
    }
    return proven > 0;
  }

  /** Compares all columns of the channels that do not come from metadata of channels. */
  private void checkChannels(LakeTable table, DataFile file, @Nullable GroupFacts facts)
      throws IOException {
    if (facts == null) {
      listener.unchanged();
      return;
    }
    List<List<String>> expected =
        recorded(
            FactRows.channels(
                facts, ZoneId.of(store.zone()), GroupMetadata.none(Group.parse(facts.group()))));
    if (recorded(RowFile.read(table, file.location())).equals(expected)) {
      listener.proven();
    } else {
      wrong(table, file, "other channels", "those of its record tables");
    }
  }

  private static List<List<String>> recorded(List<Record> rows) {
    return rows.stream()
        .map(row -> Stream.of(RECORDED).map(name -> String.valueOf(row.getField(name))).toList())
        .toList();
  }

  private void checkRollup(LakeTable table, DataFile file) throws InterruptedException {
    try (InputStream in = table.io().newInputFile(file.location()).newStream()) {
      Provenance provenance = table.provenance(file.location());
      String expected = provenance.file().sha256();
      String sha256 = FileHash.of(in, listener::read);
      if (sha256.equals(expected)) {
        if (isOfStore(provenance, DataName.parse(file.location()))) {
          listener.proven();
        } else {
          listener.unchanged();
        }
      } else {
        wrong(table, file, "SHA-256 " + sha256, expected + " as when it was published");
      }
    } catch (NotFoundException e) {
      wrong(table, file, "no file", "a data file");
    } catch (IOException | RuntimeIOException e) {
      wrong(table, file, e.getMessage(), "a data file and its provenance");
    }
  }

  /** Returns whether the store has the rollups from which a file was made, byte for byte. */
  private boolean isOfStore(Provenance provenance, @Nullable DataName name)
      throws InterruptedException {
    for (StoredBlock block : blocks) {
      if (name != null && name.isMadeOf(block, provenance.block())) {
        try (InputStream in =
            Files.newInputStream(block.directory().resolve(provenance.source().name()))) {
          return FileHash.of(in, bytes -> {}).equals(provenance.source().sha256());
        } catch (IOException e) {
          return false;
        }
      }
    }
    return false;
  }

  private boolean isOf(StoredBlock block, PublishedSpan published) throws IOException {
    try {
      return published.equals(PublishedSpanReader.read(block, published));
    } catch (IOException e) {
      if (block.isRemoved()) {
        return true;
      }
      throw e;
    }
  }

  private @Nullable GroupFacts checkBytes(LakeTable table, DataFile file)
      throws InterruptedException {
    try (InputStream in = table.io().newInputFile(file.location()).newStream()) {
      GroupFacts facts = GroupFacts.read(table.io(), file.location());
      String sha256 = FileHash.of(in, listener::read);
      if (sha256.equals(facts.sha256())) {
        return facts;
      }
      wrong(table, file, "SHA-256 " + sha256, facts.sha256() + " as when it was published");
    } catch (NotFoundException e) {
      wrong(table, file, "no file", "a data file");
    } catch (IOException | RuntimeIOException e) {
      wrong(table, file, e.getMessage(), "a data file and its facts");
    }
    return null;
  }

  private void wrong(LakeTable table, DataFile file, @Nullable String found, String expected) {
    listener.wrong(
        "data file is wrong: table="
            + table
            + ", file="
            + file.location()
            + ", found "
            + found
            + ", expected "
            + expected);
  }
}
