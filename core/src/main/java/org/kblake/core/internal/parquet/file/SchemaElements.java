package org.kblake.core.internal.parquet.file;

import java.util.List;
import org.apache.parquet.format.ConvertedType;
import org.apache.parquet.format.FieldRepetitionType;
import org.apache.parquet.format.IntType;
import org.apache.parquet.format.ListType;
import org.apache.parquet.format.LogicalType;
import org.apache.parquet.format.NanoSeconds;
import org.apache.parquet.format.SchemaElement;
import org.apache.parquet.format.StringType;
import org.apache.parquet.format.TimeUnit;
import org.apache.parquet.format.TimestampType;
import org.apache.parquet.format.Type;

/**
 * Builds the elements of a file's schema. An element has both a converted type and a logical type
 * where Parquet defines both.
 */
public final class SchemaElements {

  private SchemaElements() {}

  public static SchemaElement message(int columns) {
    return message("event", columns);
  }

  static SchemaElement message(String name, int columns) {
    SchemaElement message = new SchemaElement(name);
    message.setNum_children(columns);
    return message;
  }

  public static SchemaElement leaf(String name, Type type, boolean optional) {
    SchemaElement leaf = new SchemaElement(name);
    leaf.setType(type);
    leaf.setRepetition_type(optional ? FieldRepetitionType.OPTIONAL : FieldRepetitionType.REQUIRED);
    return leaf;
  }

  public static SchemaElement text(SchemaElement leaf) {
    leaf.setConverted_type(ConvertedType.UTF8);
    leaf.setLogicalType(LogicalType.STRING(new StringType()));
    return leaf;
  }

  public static SchemaElement utcNanos(SchemaElement leaf) {
    TimestampType timestamp = new TimestampType(true, TimeUnit.NANOS(new NanoSeconds()));
    leaf.setLogicalType(LogicalType.TIMESTAMP(timestamp));
    return leaf;
  }

  /** Annotates a leaf as an integer of 8 or 16 bits. 8 bits are always unsigned. */
  public static SchemaElement integer(SchemaElement leaf, int bits, boolean signed) {
    ConvertedType converted =
        bits == Byte.SIZE
            ? ConvertedType.UINT_8
            : signed ? ConvertedType.INT_16 : ConvertedType.UINT_16;
    leaf.setConverted_type(converted);
    leaf.setLogicalType(LogicalType.INTEGER(new IntType((byte) bits, signed)));
    return leaf;
  }

  /**
   * Returns {@code optional group NAME (LIST) { repeated group list { required TYPE element; } }}.
   */
  public static List<SchemaElement> list(String name, SchemaElement element) {
    SchemaElement outer = new SchemaElement(name);
    outer.setRepetition_type(FieldRepetitionType.OPTIONAL);
    outer.setNum_children(1);
    outer.setConverted_type(ConvertedType.LIST);
    outer.setLogicalType(LogicalType.LIST(new ListType()));
    SchemaElement list = new SchemaElement("list");
    list.setRepetition_type(FieldRepetitionType.REPEATED);
    list.setNum_children(1);
    return List.of(outer, list, element);
  }
}
