package org.kblake.lake.table;

import java.util.HashMap;
import java.util.Map;
import org.apache.iceberg.Schema;
import org.apache.iceberg.TableProperties;
import org.apache.iceberg.mapping.MappingUtil;
import org.apache.iceberg.mapping.NameMappingParser;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;
import org.apache.iceberg.types.Types.NestedField;
import org.kblake.core.columns.EventColumn;
import org.kblake.core.model.Group;
import org.kblake.core.model.ValueType;

/**
 * The columns and properties of tables. Columns have the names of the columns of files, whose field
 * ids follow from the names. Times are longs, because Spark has no type for nanoseconds.
 */
public final class TableSchema {

  /** The table's group, as {@code SYSTEM/NAME}. */
  public static final String GROUP = "kblake.group";

  /** The root of the archive as the store names it. */
  public static final String ARCHIVE = "kblake.archive";

  /**
   * Each commit writes all snapshots again, in a metadata file of its own. So many earlier ones
   * stay, for readers that have loaded one of them.
   */
  static final Map<String, String> OF_METADATA =
      Map.of(
          TableProperties.METADATA_DELETE_AFTER_COMMIT_ENABLED, "true",
          TableProperties.METADATA_PREVIOUS_VERSIONS_MAX, "20");

  private static final int ELEMENT_ID = EventColumn.count() + 1;

  private TableSchema() {}

  /** Returns the id of a column. */
  public static int id(EventColumn column) {
    return column.ordinal() + 1;
  }

  /** Returns the columns of a kind of table. */
  public static Schema of(TableKind kind) {
    NestedField[] fields = new NestedField[EventColumn.count()];
    for (EventColumn column : EventColumn.inOrder()) {
      fields[column.ordinal()] =
          NestedField.builder()
              .withId(id(column))
              .withName(column.text())
              .isOptional(column == EventColumn.VALUE)
              .ofType(type(column, kind))
              .withDoc(meaning(column))
              .build();
    }
    return new Schema(fields);
  }

  private static Type type(EventColumn column, TableKind kind) {
    return switch (column) {
      case CHANNEL -> Types.StringType.get();
      case TIME, LATENESS -> Types.LongType.get();
      case VALUE ->
          kind.waveform()
              ? Types.ListType.ofRequired(ELEMENT_ID, element(kind.type()))
              : element(kind.type());
      case STATE, SEVERITY, STATUS, SEGMENT, TIE -> Types.IntegerType.get();
      case STRAY -> Types.BooleanType.get();
    };
  }

  private static Type element(ValueType type) {
    return switch (type) {
      case STRING -> Types.StringType.get();
      case FLOAT -> Types.FloatType.get();
      case DOUBLE -> Types.DoubleType.get();
      case SHORT, ENUM, CHAR, LONG -> Types.IntegerType.get();
    };
  }

  private static String meaning(EventColumn column) {
    return switch (column) {
      case CHANNEL -> "name of the record";
      case TIME -> "nanoseconds since 1970-01-01T00:00:00 UTC";
      case VALUE -> "value; null if state is not 2";
      case STATE -> "0 disconnected, 1 connected, 2 value";
      case SEVERITY -> "0 to 3";
      case STATUS -> "EPICS menuAlarmStat";
      case STRAY -> "true if the time is outside of the span of its segment";
      case SEGMENT -> "ordinal of the segment in the block, which is the file";
      case LATENESS -> "nanoseconds from time to the latest time before it in its segment";
      case TIE -> "rank among events of the segment with equal time + lateness";
    };
  }

  /**
   * Returns the properties of a table. Only the bounds of channel and time are kept, in full
   * length: a file has many channels, and bounds of their values would exclude none.
   *
   * @param archive the archive's root as the store names it
   */
  static Map<String, String> properties(Group group, TableKind kind, String archive) {
    Map<String, String> properties = new HashMap<>(OF_METADATA);
    properties.put(TableProperties.FORMAT_VERSION, "2");
    properties.put(
        TableProperties.DEFAULT_NAME_MAPPING,
        NameMappingParser.toJson(MappingUtil.create(of(kind))));
    properties.put(TableProperties.DEFAULT_WRITE_METRICS_MODE, "counts");
    for (EventColumn column : new EventColumn[] {EventColumn.CHANNEL, EventColumn.TIME}) {
      properties.put(TableProperties.METRICS_MODE_COLUMN_CONF_PREFIX + column.text(), "full");
    }
    properties.put(GROUP, group.toString());
    properties.put(ARCHIVE, archive);
    return properties;
  }
}
