package org.kblake.format.arrow;

import com.google.flatbuffers.FlatBufferBuilder;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.WritableByteChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.arrow.flatbuf.Endianness;
import org.apache.arrow.flatbuf.Footer;
import org.apache.arrow.flatbuf.KeyValue;
import org.apache.arrow.flatbuf.Message;
import org.apache.arrow.flatbuf.MessageHeader;
import org.apache.arrow.flatbuf.Schema;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.dictionary.Dictionary;
import org.apache.arrow.vector.dictionary.DictionaryProvider;
import org.apache.arrow.vector.ipc.WriteChannel;
import org.apache.arrow.vector.ipc.message.ArrowBlock;
import org.apache.arrow.vector.ipc.message.ArrowDictionaryBatch;
import org.apache.arrow.vector.ipc.message.ArrowFieldNode;
import org.apache.arrow.vector.ipc.message.ArrowRecordBatch;
import org.apache.arrow.vector.ipc.message.IpcOption;
import org.apache.arrow.vector.ipc.message.MessageSerializer;
import org.apache.arrow.vector.types.pojo.DictionaryEncoding;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.kblake.format.AnswerWriter;

/**
 * Writes batches as Arrow IPC. Buffers are written as they are, uncompressed. Arrow's own writers
 * need a schema of a class that sets up Jackson. That takes longer than many answers.
 *
 * <pre>
 *   stream   schema | dictionaries | batches | end
 *   file     "ARROW1" 0 0 | stream | footer | its length (4 bytes, little-endian) | "ARROW1"
 * </pre>
 */
public final class ArrowIpcWriter implements AnswerWriter {

  private static final byte[] MAGIC = "ARROW1".getBytes(StandardCharsets.US_ASCII);
  private static final int INITIAL_BYTES = 1024;

  private final WriteChannel out;
  private final boolean file;
  private final Map<String, String> metadata;
  private final List<FieldVector> vectors;
  private final List<Field> fields = new ArrayList<>();
  private final List<Dictionary> dictionaries = new ArrayList<>();
  private final List<ArrowBlock> dictionaryBlocks = new ArrayList<>();
  private final List<ArrowBlock> batchBlocks = new ArrayList<>();
  private boolean begun;

  /**
   * @param out the output; vectors are written without a copy if it is a channel; the caller closes
   *     it
   * @param file whether to write an IPC file, which has an index at its end; else an IPC stream
   * @param columns the fields of the vectors
   */
  public ArrowIpcWriter(
      OutputStream out,
      boolean file,
      List<Field> columns,
      List<FieldVector> vectors,
      DictionaryProvider dictionaries)
      throws IOException {
    this(out, file, columns, vectors, dictionaries, Map.of());
  }

  /**
   * @param metadata the metadata of the schema
   */
  public ArrowIpcWriter(
      OutputStream out,
      boolean file,
      List<Field> columns,
      List<FieldVector> vectors,
      DictionaryProvider dictionaries,
      Map<String, String> metadata)
      throws IOException {
    this.metadata = metadata;
    WritableByteChannel channel =
        out instanceof WritableByteChannel direct ? direct : Channels.newChannel(out);
    this.out = new WriteChannel(channel);
    this.file = file;
    this.vectors = vectors;
    if (file) {
      this.out.write(MAGIC);
      this.out.align();
    }
    for (Field column : columns) {
      DictionaryEncoding encoding = column.getDictionary();
      if (encoding == null) {
        fields.add(column);
      } else {
        Dictionary dictionary = dictionaries.lookup(encoding.getId());
        this.dictionaries.add(dictionary);
        fields.add(encoded(column, dictionary));
      }
    }
    writeSchema();
  }

  /** Returns the field of a column in messages, which has the type of the dictionary's values. */
  private static Field encoded(Field indices, Dictionary dictionary) {
    FieldType type =
        new FieldType(
            indices.isNullable(),
            dictionary.getVectorType(),
            indices.getDictionary(),
            indices.getMetadata());
    return new Field(indices.getName(), type, List.of());
  }

  private void writeSchema() throws IOException {
    FlatBufferBuilder builder = new FlatBufferBuilder(INITIAL_BYTES);
    ByteBuffer message =
        MessageSerializer.serializeMessage(
            builder, MessageHeader.Schema, putSchema(builder), 0, IpcOption.DEFAULT);
    MessageSerializer.writeMessageBuffer(out, message.remaining(), message);
  }

  private int putSchema(FlatBufferBuilder builder) {
    int[] offsets = new int[fields.size()];
    for (int i = 0; i < offsets.length; i++) {
      offsets[i] = fields.get(i).getField(builder);
    }
    int fieldsOffset = Schema.createFieldsVector(builder, offsets);
    int entries = Schema.createCustomMetadataVector(builder, put(builder, metadata));
    Schema.startSchema(builder);
    Schema.addEndianness(builder, Endianness.Little);
    Schema.addFields(builder, fieldsOffset);
    Schema.addCustomMetadata(builder, entries);
    return Schema.endSchema(builder);
  }

  /**
   * Writes the dictionaries before the first batch. Readers need them also if no batch has rows.
   */
  private void writeDictionaries() throws IOException {
    if (!begun) {
      begun = true;
      for (Dictionary dictionary : dictionaries) {
        writeDictionary(dictionary);
      }
    }
  }

  private void writeDictionary(Dictionary dictionary) throws IOException {
    long id = dictionary.getEncoding().getId();
    try (ArrowDictionaryBatch batch =
        new ArrowDictionaryBatch(id, batch(List.of(dictionary.getVector()), false), false)) {
      dictionaryBlocks.add(MessageSerializer.serialize(out, batch));
    }
  }

  @Override
  public void write() throws IOException {
    writeDictionaries();
    try (ArrowRecordBatch batch = batch(vectors, false)) {
      ArrowBlock block = MessageSerializer.serialize(out, batch);
      if (file) {
        batchBlocks.add(block);
      }
    }
  }

  /**
   * Writes the rows of the vectors as a batch whose message has metadata. Only for a stream. A
   * bitmap of a column without nulls is left out, as Arrow allows.
   */
  public void write(Map<String, String> batchMetadata) throws IOException {
    writeDictionaries();
    try (ArrowRecordBatch batch = batch(vectors, true)) {
      writeHeader(batch, batchMetadata);
      MessageSerializer.writeBatchBuffers(out, batch);
    }
  }

  private static ArrowRecordBatch batch(List<FieldVector> vectors, boolean shortened) {
    List<ArrowFieldNode> nodes = new ArrayList<>();
    List<ArrowBuf> buffers = new ArrayList<>();
    for (FieldVector vector : vectors) {
      add(vector, nodes, buffers, shortened);
    }
    return new ArrowRecordBatch(vectors.get(0).getValueCount(), nodes, buffers);
  }

  private static void add(
      FieldVector vector, List<ArrowFieldNode> nodes, List<ArrowBuf> buffers, boolean shortened) {
    int nulls = vector.getNullCount();
    nodes.add(new ArrowFieldNode(vector.getValueCount(), nulls));
    List<ArrowBuf> own = vector.getFieldBuffers();
    buffers.add(shortened && nulls == 0 ? vector.getAllocator().getEmpty() : own.get(0));
    buffers.addAll(own.subList(1, own.size()));
    for (FieldVector child : vector.getChildrenFromFields()) {
      add(child, nodes, buffers, shortened);
    }
  }

  @Override
  public void finish() throws IOException {
    out.writeIntLittleEndian(MessageSerializer.IPC_CONTINUATION_TOKEN);
    out.writeIntLittleEndian(0);
    if (file) {
      long begin = out.getCurrentPosition();
      writeFooter();
      out.writeIntLittleEndian((int) (out.getCurrentPosition() - begin));
      out.write(MAGIC);
    }
  }

  /**
   * Writes a batch without rows whose message has metadata.
   *
   * @param memory has an empty buffer
   */
  public void writeMark(Map<String, String> markMetadata, BufferAllocator memory)
      throws IOException {
    writeDictionaries();
    List<ArrowFieldNode> nodes = new ArrayList<>();
    List<ArrowBuf> buffers = new ArrayList<>();
    for (FieldVector vector : vectors) {
      addEmpty(vector, nodes, buffers, memory.getEmpty());
    }
    try (ArrowRecordBatch batch = new ArrowRecordBatch(0, nodes, buffers)) {
      writeHeader(batch, markMetadata);
    }
  }

  private void writeHeader(ArrowRecordBatch batch, Map<String, String> batchMetadata)
      throws IOException {
    FlatBufferBuilder builder = new FlatBufferBuilder(INITIAL_BYTES);
    int header = batch.writeTo(builder);
    int entries = Message.createCustomMetadataVector(builder, put(builder, batchMetadata));
    Message.startMessage(builder);
    Message.addHeaderType(builder, MessageHeader.RecordBatch);
    Message.addHeader(builder, header);
    Message.addVersion(builder, IpcOption.DEFAULT.metadataVersion.toFlatbufID());
    Message.addBodyLength(builder, batch.computeBodyLength());
    Message.addCustomMetadata(builder, entries);
    builder.finish(Message.endMessage(builder));
    ByteBuffer message = builder.dataBuffer();
    MessageSerializer.writeMessageBuffer(out, message.remaining(), message);
  }

  private static int[] put(FlatBufferBuilder builder, Map<String, String> metadata) {
    return metadata.entrySet().stream()
        .mapToInt(
            entry ->
                KeyValue.createKeyValue(
                    builder,
                    builder.createString(entry.getKey()),
                    builder.createString(entry.getValue())))
        .toArray();
  }

  private static void addEmpty(
      FieldVector vector, List<ArrowFieldNode> nodes, List<ArrowBuf> buffers, ArrowBuf empty) {
    nodes.add(new ArrowFieldNode(0, 0));
    for (int i = vector.getFieldBuffers().size(); i > 0; i--) {
      buffers.add(empty);
    }
    for (FieldVector child : vector.getChildrenFromFields()) {
      addEmpty(child, nodes, buffers, empty);
    }
  }

  private void writeFooter() throws IOException {
    FlatBufferBuilder builder = new FlatBufferBuilder(INITIAL_BYTES);
    int schema = putSchema(builder);
    Footer.startDictionariesVector(builder, dictionaryBlocks.size());
    int dictionaryVector = putBlocks(builder, dictionaryBlocks);
    Footer.startRecordBatchesVector(builder, batchBlocks.size());
    int batchVector = putBlocks(builder, batchBlocks);
    Footer.startFooter(builder);
    Footer.addSchema(builder, schema);
    Footer.addDictionaries(builder, dictionaryVector);
    Footer.addRecordBatches(builder, batchVector);
    Footer.addVersion(builder, IpcOption.DEFAULT.metadataVersion.toFlatbufID());
    builder.finish(Footer.endFooter(builder));
    out.write(builder.sizedByteArray());
  }

  private static int putBlocks(FlatBufferBuilder builder, List<ArrowBlock> blocks) {
    for (int i = blocks.size() - 1; i >= 0; i--) {
      blocks.get(i).writeTo(builder);
    }
    return builder.endVector();
  }

  @Override
  public void close() {}
}
