package org.kblake.lake.table;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Schema;
import org.apache.iceberg.TableProperties;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;
import org.apache.iceberg.types.Types.NestedField;

/**
 * The tables with rows of all groups: {@code kblake.coverage} and so on. Each partition has the
 * rows of one group. The name of a group's table ends with a value type, so no group has one of
 * these names, even if its system is called kblake.
 */
public enum SiteTable {
  /** When the log of a group in the tables was written, and when it was not. */
  COVERAGE(
      new Schema(
          required(1, "group", Types.StringType.get(), "SYSTEM/NAME"),
          required(2, "from", Types.LongType.get(), "nanoseconds since 1970-01-01T00:00:00 UTC"),
          required(3, "to", Types.LongType.get(), "the end, which is not a part of the span"),
          required(4, "kind", Types.StringType.get(), "in columns, archiver down, or damaged"))),

  /** The channels of record tables. A channel whose type changed has a row for each type. */
  CHANNELS(
      new Schema(
          required(1, "group", Types.StringType.get(), "SYSTEM/NAME"),
          required(2, "name", Types.StringType.get(), "name of the record"),
          list(3, "former", 4, "names of the records that it was before"),
          required(5, "type", Types.StringType.get(), "value type"),
          required(6, "elements", Types.IntegerType.get(), "number of elements of its values"),
          required(7, "table", Types.StringType.get(), "the table of its events"),
          optional(8, "unit", Types.StringType.get(), "unit of its values"),
          optional(9, "precision", Types.IntegerType.get(), "digits after the decimal point"),
          optional(10, "low", Types.DoubleType.get(), "low end of the range of a display"),
          optional(11, "high", Types.DoubleType.get(), "high end of the range of a display"),
          optional(12, "lolo", Types.DoubleType.get(), "limit of the low major alarm"),
          optional(13, "lo", Types.DoubleType.get(), "limit of the low minor alarm"),
          optional(14, "hi", Types.DoubleType.get(), "limit of the high minor alarm"),
          optional(15, "hihi", Types.DoubleType.get(), "limit of the high major alarm"),
          list(16, "labels", 17, "texts of an enum's states, from state 0 on"),
          optional(18, "description", Types.StringType.get(), "description in words"),
          required(19, "since", Types.LongType.get(), "begin of the first pair that records it so"),
          optional(
              20,
              "until",
              Types.LongType.get(),
              "begin of the next pair that does not; else null"))),

  /** Aggregates of a channel in bins, for each block. */
  ROLLUP(
      new Schema(
          required(1, "group", Types.StringType.get(), "SYSTEM/NAME"),
          required(2, "channel", Types.StringType.get(), "name of the record"),
          required(3, "width", Types.LongType.get(), "width of the bin, nanoseconds"),
          required(4, "from", Types.LongType.get(), "begin of the bin, nanoseconds since 1970 UTC"),
          required(5, "count", Types.LongType.get(), "number of value events without strays"),
          required(6, "nan", Types.LongType.get(), "number of them that are NaN"),
          required(7, "severity", Types.IntegerType.get(), "worst severity"),
          optional(8, "min", Types.DoubleType.get(), "least value"),
          optional(9, "max", Types.DoubleType.get(), "greatest value"),
          optional(10, "mean", Types.DoubleType.get(), "mean of the values that are not NaN")));

  /** The namespace of these tables. */
  static final String NAMESPACE = "kblake";

  // A schema of Iceberg does not change, but is not declared as immutable.
  @SuppressWarnings("ImmutableEnumChecker")
  private final Schema schema;

  SiteTable(Schema schema) {
    this.schema = schema;
  }

  private static NestedField required(int id, String name, Type type, String meaning) {
    return NestedField.required(id, name, type, meaning);
  }

  private static NestedField optional(int id, String name, Type type, String meaning) {
    return NestedField.optional(id, name, type, meaning);
  }

  private static NestedField list(int id, String name, int elementId, String meaning) {
    return NestedField.required(
        id, name, Types.ListType.ofRequired(elementId, Types.StringType.get()), meaning);
  }

  /** Returns the name, such as {@code kblake.coverage}. */
  public TableIdentifier identifier() {
    return TableIdentifier.of(NAMESPACE, text());
  }

  /** Returns the name without its namespace. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Returns the columns. */
  public Schema schema() {
    return schema;
  }

  /** Returns the partitions: one for each group. */
  PartitionSpec partitions() {
    return PartitionSpec.builderFor(schema).identity("group").build();
  }

  /**
   * Returns the properties of a table.
   *
   * @param archive the archive's root as the store names it
   */
  static Map<String, String> properties(String archive) {
    Map<String, String> properties = new HashMap<>(TableSchema.OF_METADATA);
    properties.put(TableProperties.FORMAT_VERSION, "2");
    properties.put(TableSchema.ARCHIVE, archive);
    return properties;
  }
}
