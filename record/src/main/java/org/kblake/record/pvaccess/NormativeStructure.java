package org.kblake.record.pvaccess;

import java.nio.ByteBuffer;
import java.util.BitSet;
import org.epics.pva.data.PVAData;
import org.epics.pva.data.PVAInt;
import org.epics.pva.data.PVALong;
import org.epics.pva.data.PVAString;
import org.epics.pva.data.PVAStructure;
import org.jspecify.annotations.Nullable;
import org.kblake.core.model.ValueType;
import org.kblake.record.source.Conversions;
import org.kblake.record.source.TimedLayout;

/**
 * The structure of a subscription, which core-pva fills with each update, and the fields of it that
 * make an event: value, alarm and time stamp.
 */
final class NormativeStructure {

  private static final long LAST_SECOND = 0xFFFF_FFFFL;
  private static final int LARGEST_STATE = 0xFFFF;
  private static final int INVALID = 3;

  private final PVAStructure structure;
  private final PvElements elements;
  private final @Nullable PVAInt state;
  private final @Nullable PVAData severity;
  private final @Nullable PVAData status;
  private final @Nullable PVAData message;
  private final @Nullable PVAData seconds;
  private final @Nullable PVAData nanoseconds;

  /** The numbers of the fields of an event, and those of all others, in changes. */
  private final BitSet ofEvent = new BitSet();

  private final BitSet ofMetadata = new BitSet();

  private NormativeStructure(PVAStructure structure, PvElements elements, @Nullable PVAInt state) {
    this.structure = structure;
    this.elements = elements;
    this.state = state;
    PVAStructure alarm = Fields.structure(structure, "alarm");
    severity = Fields.field(alarm, "severity");
    status = Fields.field(alarm, "status");
    message = Fields.field(alarm, "message");
    PVAStructure time = Fields.structure(structure, "timeStamp");
    seconds = Fields.field(time, "secondsPastEpoch");
    nanoseconds = Fields.field(time, "nanoseconds");
    numberFields();
  }

  /** A field has the next number, and a structure the number before those of its fields. */
  private void numberFields() {
    ofEvent.set(0);
    ofMetadata.set(0);
    int number = 1;
    for (PVAData field : structure.get()) {
      int end = number + size(field);
      String name = field.getName();
      boolean isOfEvent = name.equals("value") || name.equals("alarm") || name.equals("timeStamp");
      (isOfEvent ? ofEvent : ofMetadata).set(number, end);
      number = end;
    }
    if (state != null) {
      // The texts of an enum's states are metadata, beside the index.
      number = index("value");
      ofMetadata.set(number, number + size(structure.get("value")));
      ofMetadata.clear(indexOf(state));
      ofEvent.clear(number + 1, number + size(structure.get("value")));
      ofEvent.set(indexOf(state));
    }
  }

  private int index(String name) {
    return indexOf(structure.get(name));
  }

  private int indexOf(PVAData field) {
    try {
      return structure.getIndex(field);
    } catch (Exception e) {
      throw new IllegalStateException("a structure does not have its field", e);
    }
  }

  private static int size(PVAData field) {
    int size = 1;
    if (field instanceof PVAStructure parent) {
      for (PVAData each : parent.get()) {
        size += size(each);
      }
    }
    return size;
  }

  /** Returns the fields of a structure, or null if none of a log's types can hold its value. */
  static @Nullable NormativeStructure of(PVAStructure structure, Conversions conversions) {
    String id = structure.getStructureName();
    PVAData value = structure.get("value");
    if (id.startsWith("epics:nt/NTEnum:") && value instanceof PVAStructure parent) {
      return parent.get("index") instanceof PVAInt state
          ? new NormativeStructure(structure, PvElements.ofEnum(state), state)
          : null;
    }
    PvElements elements = null;
    if (id.startsWith("epics:nt/NTScalar:")) {
      elements = PvElements.ofScalar(value, conversions);
    } else if (id.startsWith("epics:nt/NTScalarArray:")) {
      elements = PvElements.ofArray(value, conversions);
    }
    return elements == null ? null : new NormativeStructure(structure, elements, null);
  }

  /** Returns what a structure is, for the reason of a refusal. */
  static String describe(PVAStructure structure) {
    String id = structure.getStructureName();
    String name = id.isEmpty() ? "structure" : id;
    boolean isScalar = id.startsWith("epics:nt/NTScalar") || id.startsWith("epics:nt/NTEnum");
    return isScalar ? name + " without a value of its type" : name;
  }

  PVAStructure structure() {
    return structure;
  }

  ValueType type() {
    return elements.type();
  }

  /** Returns the number of elements of the present value. */
  int count() {
    return elements.count();
  }

  /** Returns whether a log can hold the present value: the state of an enum has 16 bits. */
  boolean isRepresentable() {
    PVAInt index = state;
    return index == null || index.get() >= 0 && index.get() <= LARGEST_STATE;
  }

  /** Returns whether an update changed value, alarm or time stamp. */
  boolean isEvent(BitSet changes) {
    return changes.intersects(ofEvent);
  }

  /** Returns whether an update changed anything else. */
  boolean isMetadata(BitSet changes) {
    return changes.intersects(ofMetadata);
  }

  /**
   * Writes the present value.
   *
   * @param target an empty buffer with room for {@link TimedLayout#bytes}
   * @param count the number of elements
   */
  void write(ByteBuffer target, int count) {
    int severe = integer(severity);
    String text = message instanceof PVAString string ? Fields.text(string.get()) : "";
    target.putShort((short) PvAlarm.status(text, integer(status)));
    target.putShort((short) (severe < 0 || severe > INVALID ? INVALID : severe));
    putTime(target);
    while (target.position() < TimedLayout.elementsOffset(type())) {
      target.put((byte) 0);
    }
    elements.put(target, count);
  }

  private void putTime(ByteBuffer target) {
    long since = seconds instanceof PVALong number ? number.get() - TimedLayout.EPOCH_SECONDS : -1;
    boolean isInRange = since >= 0 && since <= LAST_SECOND;
    target.putInt(isInRange ? (int) since : 0);
    target.putInt(isInRange ? integer(nanoseconds) : 0);
  }

  private static int integer(@Nullable PVAData field) {
    return field instanceof PVAInt number ? number.get() : 0;
  }
}
