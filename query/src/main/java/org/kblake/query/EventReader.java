package org.kblake.query;

import java.io.IOException;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.dictionary.Dictionary;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;
import org.jspecify.annotations.Nullable;
import org.kblake.core.internal.log.file.FirstFailure;
import org.kblake.core.model.Channel;
import org.kblake.core.model.Group;
import org.kblake.query.answer.CoverageReport;
import org.kblake.query.answer.HeldValue;
import org.kblake.query.answer.IncompleteAnswerException;
import org.kblake.query.answer.ReadPlan;
import org.kblake.query.arrow.EventSchema;
import org.kblake.query.arrow.ValueShape;
import org.kblake.query.internal.arrow.BatchSchema;
import org.kblake.query.internal.arrow.BatchVectors;
import org.kblake.query.internal.arrow.EventBatch;
import org.kblake.query.internal.engine.EventAnswer;
import org.kblake.query.internal.plan.ChannelResolution;
import org.kblake.query.internal.source.EventRows;
import org.kblake.query.question.EventQuery;

/**
 * An answer, batch by batch. Each {@link #loadNextBatch()} replaces the rows of {@link
 * #getVectorSchemaRoot()}. Columns are those of {@link EventSchema}. For one thread at a time. The
 * caller closes it, which frees everything. Vectors or buffers that are used after the next batch
 * must be transferred or retained. Retained memory is not overwritten.
 *
 * <p>At the end of an answer that may miss events {@link #loadNextBatch()} throws {@link
 * IncompleteAnswerException}, unless the query allows it.
 */
public final class EventReader extends ArrowReader {

  private final EventQuery query;
  private final BatchSchema schema;
  private final List<Channel> channels;
  private final List<String> channelNames;
  private final List<Group> groups;
  private final List<HeldValue> held;
  private final EventRows source;
  private final EventBatch batch;
  private final BatchVectors vectors;
  private final AnswerState state;

  /** The rows of each group so far, and the shapes of channels; null unless they are needed. */
  private @Nullable SentRows sent;

  private int from;
  private int to;
  private boolean ended;

  /**
   * @param allocator an allocator for this reader only, closed with it
   */
  EventReader(BufferAllocator allocator, EventAnswer answer, Runnable onClose) {
    super(allocator);
    query = answer.query();
    ChannelResolution resolution = answer.resolution();
    channels = resolution.channels();
    channelNames = resolution.names();
    groups = resolution.groups();
    held = answer.held();
    source = answer.source();
    state = new AnswerState(query, answer.report(), onClose);
    schema =
        BatchSchema.of(
            answer.shapes(),
            query.isAsDouble(),
            groups.size() > 1 || query.hasGroup(),
            query.hasStrays());
    batch = new EventBatch(allocator, schema, query.batchRows(), query.batchBytes());
    vectors = new BatchVectors(allocator, schema);
    dictionaries = vectors.dictionaries();
  }

  /**
   * Returns the columns of {@link #getVectorSchemaRoot()}. Unlike the root they have no schema,
   * whose creation takes longer than a short answer.
   */
  public List<FieldVector> vectors() {
    ensureInitialized();
    return vectors.vectors();
  }

  /**
   * Returns the fields of {@link #vectors()}. A vector of lists does not keep the name of its
   * elements.
   */
  public List<Field> fields() {
    return vectors.fields();
  }

  @Override
  public VectorSchemaRoot getVectorSchemaRoot() {
    ensureInitialized();
    return vectors.root();
  }

  @Override
  public @Nullable Dictionary lookup(long id) {
    ensureInitialized();
    return dictionaries.get(id);
  }

  /** Returns the channels of the answer, in the order of the question. */
  public List<Channel> channels() {
    return channels;
  }

  /** Returns the held values whose events are the first rows of the answer. */
  public List<HeldValue> held() {
    return held;
  }

  /** Returns the groups of the answer. */
  public List<Group> groups() {
    return groups;
  }

  /**
   * Returns the coverage of the answer. Complete after the last batch was loaded; before, it covers
   * the part read so far.
   */
  public CoverageReport coverage() {
    return state.coverage();
  }

  @Override
  public boolean loadNextBatch() throws IOException {
    state.requireOpen("reader");
    ensureInitialized();
    // The batch reuses its buffers if nothing else retains them.
    vectors.clear();
    batch.begin();
    if (!ended) {
      fill();
    }
    vectors.load(batch.finish());
    if (batch.rows() > 0) {
      return true;
    }
    state.end();
    return false;
  }

  private void fill() throws IOException {
    while (true) {
      if (from == to) {
        if (!source.next()) {
          ended = true;
          source.close();
          return;
        }
        from = source.from();
        to = source.to();
      }
      SentRows count = sent;
      if (count != null && !count.fits(source, batch.rows())) {
        return;
      }
      int added = batch.append(source.columns(), from, to, source.channel(), source.group());
      if (count != null) {
        count.add(source.group(), added);
      }
      from += added;
      if (from < to) {
        return;
      }
    }
  }

  @Override
  protected void ensureInitialized() {
    if (!dictionaries.containsKey(EventSchema.CHANNEL_DICTIONARY)) {
      vectors.addDictionary(EventSchema.CHANNEL_DICTIONARY, channelNames);
    }
    if (schema.withGroup() && !dictionaries.containsKey(EventSchema.GROUP_DICTIONARY)) {
      vectors.addDictionary(
          EventSchema.GROUP_DICTIONARY, groups.stream().map(Group::toString).toList());
    }
  }

  @Override
  protected Schema readSchema() {
    return getVectorSchemaRoot().getSchema();
  }

  /** Returns the time that raw logs and columns took so far. */
  public ReadPlan.Spent spent() {
    return state.report().spent();
  }

  /** Returns the sources of the answer. Estimates of bytes and events may read a few files. */
  public ReadPlan plan() throws IOException {
    return state.report().plan();
  }

  /**
   * Returns the bytes of log of the events returned so far, from logs and from columns; {@link
   * ReadPlan#rawBytes} at the end. Any thread may call this.
   */
  @Override
  public long bytesRead() {
    return state.report().rawBytes();
  }

  @Override
  public void close(boolean withSource) throws IOException {
    vectors.close();
    super.close(withSource);
  }

  @Override
  protected void closeReadSource() throws IOException {
    if (state.isClosed()) {
      return;
    }
    FirstFailure.closeAll(source, state::close, batch::close, allocator::close);
  }

  /** Counts rows and shapes from now on. Nothing was read yet. */
  SentRows countRows() {
    SentRows count = new SentRows(source, groups, channelNames, held.size());
    sent = count;
    return count;
  }

  /** Returns the types that values may have. */
  List<ValueShape> shapes() {
    return schema.shapes();
  }

  /** Returns whether events may be missing from what was read so far. */
  boolean mayMiss() {
    return state.report().mayMiss();
  }

  /** Returns the kind of reader and the question. */
  @Override
  public String toString() {
    return "EventReader of " + query;
  }
}
