package org.kblake.core.internal.store.block;

import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.UTFDataFormatException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.kblake.core.columns.CorruptBlockException;
import org.kblake.core.internal.store.file.StoreFiles;

/**
 * The file {@code block.kb}: the description of a block, in {@link Sections}.
 *
 * <pre>
 *   0 summary     {@link BlockSummary}
 *   1 identities  per span: SHA-256 of the index head, SHA-256 of the log's first milestone
 *   2 segments    {@link StoredSegment}
 *   3 pairs       {@link PairImage}, one per span
 *   4 damage      {@link StoredDamage}
 *   tail          {@link SegmentPages}, if there are more segments than one page has
 * </pre>
 */
final class BlockSections {

  static final String FILE_NAME = "block.kb";

  private static final long MAGIC = 0x4B424C414B45424BL; // "KBLAKEBK"
  private static final int SECTIONS = 5;
  private static final int SUMMARY = 0;
  private static final int IDENTITIES = 1;
  private static final int SEGMENTS = 2;
  private static final int PAIRS = 3;
  private static final int DAMAGE = 4;

  private BlockSections() {}

  static void write(
      StoreFiles.Output output,
      BlockSummary summary,
      List<PairIdentity> identities,
      List<StoredSegment> segments,
      List<PairImage> pairs,
      List<StoredDamage> damage)
      throws IOException {
    SegmentPages.Written pages = SegmentPages.write(segments, summary.spans().size());
    Sections.write(
        output,
        MAGIC,
        List.of(
            Sections.Stored.of(Sections.bytes(summary::write)),
            Sections.Stored.of(
                Sections.bytes(
                    out -> {
                      for (PairIdentity identity : identities) {
                        out.write(identity.indexHeadSha256());
                        out.write(identity.firstMilestoneSha256());
                      }
                    })),
            pages.section(),
            Sections.Stored.of(
                Sections.bytes(
                    out -> {
                      for (PairImage pair : pairs) {
                        pair.write(out);
                      }
                    })),
            Sections.Stored.of(Sections.bytes(out -> StoredDamage.writeAll(damage, out)))),
        pages.index());
  }

  /**
   * The sections that every reader of a block reads first.
   *
   * @param checksum the checksum of the file's header, which differs between blocks of the same
   *     name and different contents
   */
  record Head(BlockSummary summary, List<PairIdentity> identities, int checksum) {
    Head {
      identities = List.copyOf(identities);
    }
  }

  static Head readHead(Path block) throws IOException {
    Path file = block.resolve(FILE_NAME);
    Sections.Read read = Sections.read(file, MAGIC, SECTIONS, SUMMARY, IDENTITIES);
    int section = SUMMARY;
    try {
      BlockSummary summary = BlockSummary.read(read.sections()[0]);
      section = IDENTITIES;
      return new Head(
          summary, identities(read.sections()[1], summary.spans().size()), read.checksum());
    } catch (EOFException | UTFDataFormatException | IllegalArgumentException e) {
      throw malformed(file, section, e);
    }
  }

  private static List<PairIdentity> identities(DataInputStream in, int spans) throws IOException {
    List<PairIdentity> identities = new ArrayList<>();
    for (int i = 0; i < spans; i++) {
      byte[] indexHead = new byte[32];
      byte[] firstMilestone = new byte[32];
      in.readFully(indexHead);
      in.readFully(firstMilestone);
      identities.add(new PairIdentity(indexHead, firstMilestone, true));
    }
    return identities;
  }

  static List<StoredSegment> readSegments(Path block) throws IOException {
    return reading(block, SEGMENTS, StoredSegment::readAll);
  }

  /** Returns the position of the list of segments, and the tail behind the sections. */
  static Sections.Place findSegments(Path block) throws IOException {
    return Sections.find(block.resolve(FILE_NAME), MAGIC, SECTIONS, SEGMENTS);
  }

  static List<PairImage> readPairs(Path block, int spans) throws IOException {
    return reading(
        block,
        PAIRS,
        in -> {
          List<PairImage> pairs = new ArrayList<>();
          for (int i = 0; i < spans; i++) {
            pairs.add(PairImage.read(in));
          }
          return pairs;
        });
  }

  static List<StoredDamage> readDamage(Path block) throws IOException {
    return reading(block, DAMAGE, StoredDamage::readAll);
  }

  private interface Parser<T> {
    T parse(DataInputStream in) throws IOException;
  }

  private static <T> T reading(Path block, int section, Parser<T> parser) throws IOException {
    Path file = block.resolve(FILE_NAME);
    DataInputStream in = Sections.read(file, MAGIC, SECTIONS, section).sections()[0];
    try {
      return parser.parse(in);
    } catch (EOFException | UTFDataFormatException | IllegalArgumentException e) {
      throw malformed(file, section, e);
    }
  }

  private static CorruptBlockException malformed(Path file, int section, Exception e) {
    return new CorruptBlockException(
        file, 0, "section " + section + ": " + e.getMessage(), "what was written");
  }
}
