package org.kblake.query.internal.remote;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.ipc.message.ArrowRecordBatch;
import org.jspecify.annotations.Nullable;
import org.kblake.core.columns.EventColumns;
import org.kblake.core.internal.log.file.FirstFailure;
import org.kblake.core.model.Channel;
import org.kblake.query.answer.CoverageReport;
import org.kblake.query.answer.HeldValue;
import org.kblake.query.arrow.ValueShape;
import org.kblake.query.internal.arrow.BatchRows;
import org.kblake.query.internal.arrow.BatchSchema;
import org.kblake.query.internal.arrow.BatchVectors;
import org.kblake.query.internal.engine.EventAnswer;
import org.kblake.query.internal.plan.ChannelResolution;
import org.kblake.query.internal.reading.AnswerReport;
import org.kblake.query.internal.source.AnswerPosition;
import org.kblake.query.internal.source.EventRows;
import org.kblake.query.question.EventQuery;

/**
 * The events of an answer that a server sends. If the server goes away in the middle, the answer
 * goes on from the place after the last batch, or ends incomplete.
 */
public final class RemoteRows extends EventRows implements AnswerReport {

  /** The key of the last message. */
  private static final String COMPLETE = "complete";

  private final EventQuery query;
  private final RemoteRest rest;
  private final RootAllocator allocator = new RootAllocator();
  private final MessageStream stream;
  private final AnswerNames names;
  private final ChannelResolution resolution;
  private final BatchVectors vectors;
  private final BatchRows batch;
  private final Map<ValueShape, EventColumns> columns = new HashMap<>();
  private final List<HeldValue> held = new ArrayList<>();

  /** The shape of each channel, by group, then by name; null if it is unknown. */
  private final @Nullable ValueShape[] shapes;

  private int row;
  private int rows;
  private boolean ended;
  private @Nullable AnswerPosition position = new AnswerPosition(Map.of());
  private @Nullable CoverageReport coverage;
  private @Nullable ContinuedRows continued;

  private RemoteRows(EventQuery query, InputStream in, RemoteRest rest) throws IOException {
    this.query = query;
    this.rest = rest;
    stream = new MessageStream(in, allocator);
    stream.readSchema();
    names = AnswerNames.of(stream.metadata());
    Set<String> distinct = new LinkedHashSet<>();
    names.channels().forEach(channel -> distinct.add(channel.name()));
    resolution =
        new ChannelResolution(
            names.channels(), names.groups(), List.copyOf(distinct), Map.of(), List.of());
    shapes = new ValueShape[resolution.groups().size() * resolution.names().size()];
    BatchSchema schema = BatchSchema.of(names.shapes(), false, true, query.hasStrays());
    vectors = new BatchVectors(allocator, schema);
    batch = new BatchRows(schema, vectors.vectors());
  }

  /**
   * Reads the begin of an answer: the names, the held values, and the first batch.
   *
   * @param in the answer; closed with the rows
   * @param rest continues the answer
   * @throws IOException if this begin cannot be read
   */
  public static EventAnswer open(EventQuery query, InputStream in, RemoteRest rest)
      throws IOException {
    RemoteRows remote;
    try {
      remote = new RemoteRows(query, in, rest);
    } catch (Throwable e) {
      in.close();
      throw e;
    }
    try {
      remote.begin();
      EventAnswer answer =
          EventAnswer.of(
              query, remote.resolution, Set.copyOf(remote.names.shapes()), remote, remote);
      return query.heldBefore() == null ? answer : answer.after(remote.held);
    } catch (Throwable e) {
      remote.close();
      throw e;
    }
  }

  private void begin() throws IOException {
    load();
    while (held.size() < names.held().length()) {
      if (row == rows) {
        if (ended) {
          throw new RemoteException("its answer has too few rows of held values");
        }
        load();
        continue;
      }
      EventColumns value = columns(row, new HashMap<>());
      batch.copy(row, row + 1, value);
      int channel = batch.channel(row);
      int group = batch.group(row);
      held.add(
          new HeldValue(
              new Channel(resolution.groups().get(group), resolution.names().get(channel)),
              value,
              names.lastState(held.size())));
      row++;
    }
  }

  @Override
  public boolean next() throws IOException {
    while (true) {
      ContinuedRows own = continued;
      if (own != null) {
        return own.next() && moveTo(own, 0);
      }
      if (row < rows) {
        return nextOfBatch();
      }
      if (ended) {
        return false;
      }
      try {
        load();
      } catch (IOException e) {
        lose(e);
      }
    }
  }

  private boolean nextOfBatch() {
    int from = row;
    int channel = batch.channel(from);
    int group = batch.group(from);
    EventColumns next = columns(from, columns);
    do {
      row++;
    } while (row < rows
        && row - from < EventColumns.PAGE_ROWS
        && batch.channel(row) == channel
        && batch.group(row) == group);
    batch.copy(from, row, next);
    return moveTo(next, 0, next.count, channel, group);
  }

  private EventColumns columns(int at, Map<ValueShape, EventColumns> kept) {
    ValueShape shape = shapes[batch.group(at) * resolution.names().size() + batch.channel(at)];
    if (shape == null) {
      throw new IllegalStateException("the type of a channel is unknown: row=" + at);
    }
    return kept.computeIfAbsent(shape, each -> new EventColumns(each.type(), each.waveform(), 1));
  }

  /** Reads the next message. */
  private void load() throws IOException {
    vectors.clear();
    row = 0;
    rows = 0;
    ArrowRecordBatch message = stream.next();
    if (message == null) {
      throw new RemoteException("its answer has no end mark");
    }
    Map<String, String> metadata = stream.metadata();
    String known = metadata.get(AnswerNames.COVERAGE);
    if (metadata.containsKey(COMPLETE)) {
      message.close();
      if (known == null) {
        throw new RemoteException("its answer has no coverage");
      }
      coverage = CoverageLines.parse(known);
      ended = true;
      return;
    }
    try {
      vectors.load(message);
      int loaded = vectors.vectors().get(0).getValueCount();
      batch.check(loaded, resolution.names().size(), resolution.groups().size());
      setShapes(metadata.getOrDefault(AnswerNames.TYPES, ""));
      coverage = known == null ? coverage : CoverageLines.parse(known);
      String place = metadata.get(AnswerNames.POSITION);
      position = place == null ? null : AnswerPosition.parse(place);
      rows = loaded;
    } catch (RuntimeException e) {
      throw new RemoteException("its answer has a wrong batch: " + e, e);
    }
  }

  private void setShapes(String changes) {
    for (String change : changes.isEmpty() ? new String[0] : changes.split(" ", -1)) {
      int sign = change.indexOf('=');
      shapes[Integer.parseInt(change.substring(0, sign))] =
          ShapeCode.shape(Integer.parseInt(change.substring(sign + 1)));
    }
  }

  /** Continues without the server, from the place after the last batch. */
  private void lose(IOException e) throws IOException {
    stream.close();
    ended = true;
    continued = rest.open(query, new ContinuedRows.Sent(resolution, position, coverage), e);
  }

  /** Returns the coverage; before the end, that of what is missing so far. */
  @Override
  public CoverageReport coverage() {
    ContinuedRows own = continued;
    if (own != null) {
      return own.coverage();
    }
    return coverage == null
        ? new CoverageReport(query.range(), List.of(), 0, 0, List.of())
        : coverage;
  }

  @Override
  public void close() throws IOException {
    ContinuedRows own = continued;
    FirstFailure.closeAll(stream, vectors::close, allocator::close, own);
  }
}
