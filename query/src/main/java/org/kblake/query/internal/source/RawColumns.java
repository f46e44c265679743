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

/** The columns of a raw log's runs, for each type of a pair's requested channels. */
public final class RawColumns {

  /** The most bytes of a text: U+FFFD for each of its 40 bytes. */
  private static final int MAX_TEXT_BYTES = 3 * 40;

  /** The limit of elements of a run. Runs of long waveforms have fewer rows. */
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

  /** Keeps the columns of all runs; null if the next run replaces a run. */
  private @Nullable AheadRows kept;

  /**
   * @param channels the requested channels, which the pair may lack
   * @param rows the most rows of a run
   */
  public RawColumns(RecordTable records, List<ChannelTarget> channels, int rows) {
    this(records, channels, rows, null);
  }

  /**
   * @param kept keeps the columns of all runs; null if the next run replaces a run
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

  /** Returns the columns for a record's events. The next row is the first of a run. */
  public EventColumns begin(int record) {
    int place = placeOf[record];
    EventColumns run = columns[place];
    AheadRows keeper = kept;
    if (keeper == null) {
      run.count = 0;
    } else if (!hasRoom(run)) {
      run = keeper.chunk(run.type(), run.waveform());
      columns[place] = run;
    }
    return run;
  }

  /** Ends the keeping of columns: from now on the next run replaces a run. */
  void stopKeeping() {
    kept = null;
  }

  /** Returns whether a run has room for one more event. */
  public static boolean hasRoom(EventColumns run) {
    return run.count < run.capacity() && run.elements() < MAX_ELEMENTS;
  }

  /**
   * Adds the scanner's event, without stray, lateness and tie.
   *
   * @return the row of the event
   */
  public static int append(EventColumns run, LogScanner scanner) {
    int row = run.count;
    run.timeNanos[row] = scanner.timeNanos();
    run.state[row] = (byte) scanner.state();
    run.severity[row] = (byte) scanner.severity();
    run.status[row] = (short) scanner.status();
    boolean value = scanner.state() == EventState.VALUE_CODE;
    int first = run.waveform() ? run.listStarts[row] : row;
    int elements = value ? scanner.elements() : 0;
    int end = first + (run.waveform() ? elements : 1);
    run.ensureElements(end);
    if (run.type() == ValueType.STRING) {
      appendTexts(run, scanner, first, end, value);
    } else if (value) {
      scanner.copyBits(run.values, first);
    } else if (!run.waveform()) {
      run.values[first] = 0;
    }
    if (run.waveform()) {
      run.listStarts[row + 1] = end;
    }
    run.count = row + 1;
    return row;
  }

  private static void appendTexts(
      EventColumns run, LogScanner scanner, int first, int end, boolean value) {
    for (int element = first; element < end; element++) {
      int at = run.textStarts[element];
      run.ensureText(at + MAX_TEXT_BYTES);
      int bytes = value ? scanner.text(element - first, run.text, at) : 0;
      run.textStarts[element + 1] = at + bytes;
    }
  }
}
