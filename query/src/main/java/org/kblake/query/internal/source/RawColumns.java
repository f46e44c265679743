package org.kblake.query.internal.source;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.kblake.core.columns.EventColumns;
import org.kblake.core.internal.log.scan.LogScanner;
import org.kblake.core.layout.RecordEntry;
import org.kblake.core.layout.RecordTable;
import org.kblake.core.model.EventState;
import org.kblake.core.model.ValueType;
import org.kblake.query.arrow.ValueShape;
import org.kblake.query.internal.plan.ChannelTarget;

/** The columns of a raw log's rows, for each type of a pair's requested channels. */
public final class RawColumns {

  /** The most bytes of a text: U+FFFD for each of its 40 bytes. */
  private static final int MAX_TEXT_BYTES = 3 * 40;

  /** The limit of elements of columns. Those of long waveforms have fewer rows. */
  private static final int MAX_ELEMENTS = 1 << 17;

  private static final int NOT_REQUESTED = -1;

  /** The answer's channels, by ordinal of the pair's record table. */
  private final int[] channelOf;

  /** The place of the columns of a record's type, by ordinal. */
  private final int[] placeOf;

  /** The claims of records that belong to a channel at some times only, by ordinal. */
  private final Map<Integer, List<RecordClaim>> shared = new HashMap<>();

  private final EventColumns[] columns;
  private final BitSet wanted;

  /** Keeps the columns of all rows; null if the next rows replace them. */
  private @Nullable AheadRows kept;

  /**
   * @param channels the requested channels, which the pair may lack
   * @param rows the most rows at a time
   */
  public RawColumns(RecordTable records, List<ChannelTarget> channels, int rows) {
    this(records, channels, rows, null);
  }

  /**
   * @param kept keeps the columns of all rows; null if the next rows replace them
   */
  RawColumns(
      RecordTable records, List<ChannelTarget> channels, int rows, @Nullable AheadRows kept) {
    this.kept = kept;
    channelOf = new int[records.size()];
    Arrays.fill(channelOf, NOT_REQUESTED);
    placeOf = new int[records.size()];
    wanted = new BitSet(records.size());
    Map<ValueShape, Integer> places = new TreeMap<>();
    List<EventColumns> all = new ArrayList<>();
    for (List<RecordClaim> claims : RecordClaim.byName(channels).values()) {
      int ordinal = records.ordinalOfName(claims.get(0).record().name());
      if (ordinal >= 0) {
        RecordEntry entry = records.entry(ordinal);
        wanted.set(ordinal);
        channelOf[ordinal] = claims.get(0).channel();
        if (claims.size() > 1 || !claims.get(0).record().isWhole()) {
          shared.put(ordinal, claims);
        }
        ValueShape shape = new ValueShape(entry.type(), entry.waveform());
        Integer place = places.get(shape);
        if (place == null) {
          place = all.size();
          places.put(shape, place);
          all.add(
              kept == null
                  ? new EventColumns(shape.type(), shape.waveform(), rows)
                  : kept.chunk(shape.type(), shape.waveform()));
        }
        placeOf[ordinal] = place;
      }
    }
    columns = all.toArray(EventColumns[]::new);
  }

  /** Returns the ordinals of the requested records. */
  public BitSet wanted() {
    return wanted;
  }

  /** Returns the answer's index of the channel of the scanner's event. */
  public int channel(LogScanner scanner) {
    int record = scanner.record();
    List<RecordClaim> claims = shared.isEmpty() ? null : shared.get(record);
    if (claims == null) {
      return channelOf[record];
    }
    for (RecordClaim claim : claims) {
      if (scanner.stray() ? claim.record().hasStrays() : claim.record().has(scanner.timeNanos())) {
        return claim.channel();
      }
    }
    return NOT_REQUESTED;
  }

  /** Returns whether the event of a requested record belongs to a requested channel. */
  public boolean isRequested(LogScanner scanner) {
    return shared.isEmpty() || channel(scanner) != NOT_REQUESTED;
  }

  /** Returns the columns to which a record's next events are added. */
  public EventColumns begin(int record) {
    int place = placeOf[record];
    EventColumns rows = columns[place];
    AheadRows keeper = kept;
    if (keeper == null) {
      rows.count = 0;
    } else if (!hasRoom(rows)) {
      rows = keeper.chunk(rows.type(), rows.waveform());
      columns[place] = rows;
    }
    return rows;
  }

  /** Ends the keeping of columns: from now on the next rows replace the present ones. */
  void stopKeeping() {
    kept = null;
  }

  /** Returns whether columns have room for one more event. */
  public static boolean hasRoom(EventColumns rows) {
    return rows.count < rows.capacity() && rows.elements() < MAX_ELEMENTS;
  }

  /**
   * Adds the scanner's event, without stray, lateness and tie.
   *
   * @return the row of the event
   */
  public static int append(EventColumns rows, LogScanner scanner) {
    int row = rows.count;
    rows.timeNanos[row] = scanner.timeNanos();
    rows.state[row] = (byte) scanner.state();
    rows.severity[row] = (byte) scanner.severity();
    rows.status[row] = (short) scanner.status();
    boolean value = scanner.state() == EventState.VALUE_CODE;
    int first = rows.waveform() ? rows.listStarts[row] : row;
    int elements = value ? scanner.elements() : 0;
    int end = first + (rows.waveform() ? elements : 1);
    rows.ensureElements(end);
    if (rows.type() == ValueType.STRING) {
      appendTexts(rows, scanner, first, end, value);
    } else if (value) {
      scanner.copyBits(rows.values, first);
    } else if (!rows.waveform()) {
      rows.values[first] = 0;
    }
    if (rows.waveform()) {
      rows.listStarts[row + 1] = end;
    }
    rows.count = row + 1;
    return row;
  }

  private static void appendTexts(
      EventColumns rows, LogScanner scanner, int first, int end, boolean value) {
    for (int element = first; element < end; element++) {
      int at = rows.textStarts[element];
      rows.ensureText(at + MAX_TEXT_BYTES);
      int bytes = value ? scanner.text(element - first, rows.text, at) : 0;
      rows.textStarts[element + 1] = at + bytes;
    }
  }
}
