package org.kblake.query.internal.arrow;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.TypeLayout;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.dictionary.Dictionary;
import org.apache.arrow.vector.ipc.message.ArrowFieldNode;
import org.apache.arrow.vector.ipc.message.ArrowRecordBatch;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.DictionaryEncoding;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.jspecify.annotations.Nullable;

/**
 * The vectors of an answer, with the rows of one batch after another. The root is created only if
 * it is asked for: its schema is of a class that sets up Jackson, which takes longer than many
 * answers. Not thread safe. The caller closes it.
 */
public final class BatchVectors implements AutoCloseable {

  private final BufferAllocator allocator;
  private final List<Field> fields;
  private final List<FieldVector> vectors = new ArrayList<>();
  private final Map<Long, Dictionary> dictionaries = new HashMap<>();
  private @Nullable VectorSchemaRoot root;
  private int rows;

  public BatchVectors(BufferAllocator allocator, BatchSchema schema) {
    this.allocator = allocator;
    fields = schema.fields();
    for (Field field : fields) {
      vectors.add(field.createVector(allocator));
    }
  }

  /**
   * Returns the fields of the columns. A vector of lists does not keep the name of its elements.
   */
  public List<Field> fields() {
    return fields;
  }

  /** Returns the vectors in the order of the columns. */
  public List<FieldVector> vectors() {
    return vectors;
  }

  /** Returns the dictionaries that were added. */
  public Map<Long, Dictionary> dictionaries() {
    return dictionaries;
  }

  /** Returns a root of the vectors. */
  public VectorSchemaRoot root() {
    if (root == null) {
      root = new VectorSchemaRoot(fields, vectors, rows);
    }
    return root;
  }

  /** Adds the dictionary of a column. If there is not enough memory, none is added. */
  public void addDictionary(long id, List<String> names) {
    FieldType type = FieldType.notNullable(ArrowType.Utf8.INSTANCE);
    VarCharVector vector =
        (VarCharVector) new Field("DICT" + id, type, null).createVector(allocator);
    try {
      vector.allocateNew(names.size());
      for (int i = 0; i < names.size(); i++) {
        vector.setSafe(i, names.get(i).getBytes(StandardCharsets.UTF_8));
      }
      vector.setValueCount(names.size());
    } catch (Throwable e) {
      vector.close();
      throw e;
    }
    dictionaries.put(
        id, new Dictionary(vector, new DictionaryEncoding(id, false, BatchSchema.INT32)));
  }

  /** Removes all rows, and releases their buffers. */
  public void clear() {
    vectors.forEach(FieldVector::clear);
    setRows(0);
  }

  /** Replaces the rows by those of a batch, and closes the batch. */
  public void load(ArrowRecordBatch batch) {
    try (batch) {
      Iterator<ArrowFieldNode> nodes = batch.getNodes().iterator();
      Iterator<ArrowBuf> buffers = batch.getBuffers().iterator();
      for (FieldVector vector : vectors) {
        load(vector, nodes, buffers);
      }
      setRows(batch.getLength());
    }
  }

  private static void load(
      FieldVector vector, Iterator<ArrowFieldNode> nodes, Iterator<ArrowBuf> buffers) {
    ArrowFieldNode node = nodes.next();
    List<ArrowBuf> own = new ArrayList<>();
    int count = TypeLayout.getTypeBufferCount(vector.getField().getType());
    for (int i = 0; i < count; i++) {
      own.add(buffers.next());
    }
    vector.loadFieldBuffers(node, own);
    for (FieldVector child : vector.getChildrenFromFields()) {
      load(child, nodes, buffers);
    }
  }

  private void setRows(int count) {
    rows = count;
    if (root == null) {
      for (FieldVector vector : vectors) {
        vector.setValueCount(count);
      }
    } else {
      root.setRowCount(count);
    }
  }

  @Override
  public void close() {
    vectors.forEach(FieldVector::close);
    dictionaries.values().forEach(dictionary -> dictionary.getVector().close());
  }
}
