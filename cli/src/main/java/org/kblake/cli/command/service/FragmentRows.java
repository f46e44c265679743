package org.kblake.cli.command.service;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.kblake.cli.command.answer.ChannelArguments;
import org.kblake.cli.command.answer.LossLines;
import org.kblake.cli.command.get.EventInstants;
import org.kblake.cli.command.shared.ReaderOpening;
import org.kblake.cli.error.ErrorLine;
import org.kblake.cli.frame.Session;
import org.kblake.cli.settings.CommonSetting;
import org.kblake.core.model.EpochNanos;
import org.kblake.core.model.Group;
import org.kblake.core.model.TimeRange;
import org.kblake.format.AnswerWriter;
import org.kblake.format.OutputFormat;
import org.kblake.format.answer.AnswerWriters;
import org.kblake.format.table.EventTable;
import org.kblake.format.time.TimeStyle;
import org.kblake.query.ArchiveReader;
import org.kblake.query.GridReader;
import org.kblake.query.answer.ChannelInfo;
import org.kblake.query.question.ChannelSelection;
import org.kblake.query.question.EventQuery;
import org.kblake.query.question.GridQuery;
import org.kblake.query.question.Source;
import org.kblake.transfer.event.FragmentSource;

/**
 * The fragments of a collector: rows of {@code kblake build} as lines of CSV. They are read in
 * blocks, ahead as far as memory allows. For any number of threads.
 */
final class FragmentRows implements FragmentSource.Fragments {

  private static final int ROWS = 256;
  private static final long MOST_BYTES = 64L << 20;

  private final Session session;
  private final List<Long> nanos;
  private final ArchiveReader archive;
  private final ChannelSelection selection;
  private final BufferAllocator allocator = new RootAllocator();
  private final EventTable table;
  private final long lookBackNanos;

  /** The blocks that were read, the one that was used last at the end. */
  private final Map<Integer, List<byte[]>> blocks = new LinkedHashMap<>(16, 0.75f, true);

  private long bytes;
  private String columns = "";

  private FragmentRows(
      Session session, List<Long> nanos, ArchiveReader archive, ChannelSelection asked)
      throws IOException {
    this.session = session;
    this.nanos = nanos;
    this.archive = archive;
    lookBackNanos = session.settings().get(CommonSetting.LOOK_BACK).toNanos();
    TimeRange range =
        new TimeRange(
            EpochNanos.plus(nanos.get(0), -lookBackNanos), nanos.get(nanos.size() - 1) + 1);
    List<ChannelInfo> infos = archive.find(EventQuery.of(asked).between(range)).channels();
    selection = EventInstants.selection(infos);
    Set<Group> groups = new HashSet<>();
    infos.forEach(info -> groups.add(info.channel().group()));
    LossLines.writeBehind(session, archive.losses(groups, range));
    table = new EventTable(infos, Map.of(0L, ""), lookBackNanos, allocator);
  }

  /** Returns the source of a collector's fragments. */
  static FragmentSource source(Session session) {
    return (channels, nanos) -> open(session, channels, nanos);
  }

  private static FragmentRows open(Session session, List<String> channels, List<Long> nanos)
      throws IOException {
    ArchiveReader archive = ReaderOpening.open(session, Source.AUTO);
    try {
      FragmentRows rows =
          new FragmentRows(
              session,
              nanos,
              archive,
              new ChannelSelection(List.of(), ChannelArguments.of(session, channels, null)));
      rows.readAhead();
      return rows;
    } catch (IOException e) {
      archive.close();
      throw e;
    } catch (RuntimeException e) {
      archive.close();
      throw new IOException(ErrorLine.of(e), e);
    }
  }

  private synchronized void readAhead() throws IOException {
    for (int block = 0; block * ROWS < nanos.size(); block++) {
      blocks.put(block, read(block));
      if (bytes > MOST_BYTES / 2) {
        return;
      }
    }
  }

  @Override
  public String columns() {
    return columns;
  }

  @Override
  public synchronized byte[] fragment(int event) throws IOException {
    List<byte[]> rows = blocks.get(event / ROWS);
    if (rows == null) {
      rows = read(event / ROWS);
      blocks.put(event / ROWS, rows);
      while (bytes > MOST_BYTES && blocks.size() > 1) {
        List<byte[]> oldest = blocks.remove(blocks.keySet().iterator().next());
        bytes -= oldest == null ? 0 : oldest.stream().mapToLong(row -> row.length).sum();
      }
    }
    return rows.get(event % ROWS);
  }

  private List<byte[]> read(int block) throws IOException {
    int first = block * ROWS;
    List<Long> events = nanos.subList(first, Math.min(nanos.size(), first + ROWS));
    GridQuery query =
        GridQuery.at(selection, table.points(events))
            .lookBack(Duration.ofNanos(lookBackNanos))
            .allowIncomplete();
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (GridReader grid = archive.grid(query);
        AnswerWriter writer =
            AnswerWriters.openTable(
                OutputFormat.CSV,
                out,
                false,
                table.vectors(),
                TimeStyle.ISO,
                session.settings().outZone(),
                false)) {
      int unused = table.fill(grid, events, first + 1);
      writer.write();
      writer.finish();
    }
    List<byte[]> lines = BuiltLines.of(out.toByteArray());
    columns = BuiltLines.cells(lines.get(0), BuiltLines.BEFORE_CELLS);
    List<byte[]> rows = new ArrayList<>(lines.subList(1, lines.size()));
    bytes += rows.stream().mapToLong(row -> row.length).sum();
    return rows;
  }

  @Override
  public synchronized void close() throws IOException {
    try (archive;
        allocator;
        table) {
      blocks.clear();
    }
  }
}
