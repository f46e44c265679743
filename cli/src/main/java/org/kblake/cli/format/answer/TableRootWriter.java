package org.kblake.cli.format.answer;

import java.io.IOException;
import java.util.List;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.kblake.cli.format.AnswerWriter;

/** Writes the vectors of a table with a writer that needs a root with a schema. */
final class TableRootWriter implements AnswerWriter {

  private final List<FieldVector> table;
  private final VectorSchemaRoot root;
  private final AnswerWriter writer;

  /** Creates the writer of a root. */
  @FunctionalInterface
  interface Opening {
    AnswerWriter of(VectorSchemaRoot root) throws IOException;
  }

  /**
   * @param table the vectors, which the caller closes
   */
  TableRootWriter(List<FieldVector> table, Opening opening) throws IOException {
    this.table = table;
    root = new VectorSchemaRoot(table);
    writer = opening.of(root);
  }

  @Override
  public void write() throws IOException {
    root.setRowCount(table.get(0).getValueCount());
    writer.write();
  }

  @Override
  public void finish() throws IOException {
    writer.finish();
  }

  @Override
  public void close() {
    writer.close();
  }
}
