package org.kblake.server.internal.appliance.form;

import org.jspecify.annotations.Nullable;
import org.kblake.core.columns.EventColumns;
import org.kblake.core.model.EventState;
import org.kblake.core.model.ValueType;
import org.kblake.query.answer.ChannelInfo;
import org.kblake.server.internal.appliance.sample.AnsweredSample;

/**
 * Gives the samples of a channel one type, where it changes in the range of an answer: numbers
 * become doubles, which represent each of them exactly, and scalars become lists. Some clients
 * decode all chunks of a year with the type of the first one.
 */
final class OneType {

  private final AnsweredSample converted = new AnsweredSample();
  private final ValueType type;
  private final boolean waveform;

  /**
   * @param info the type of the range
   * @param first the first sample, which may be older than the range
   */
  OneType(ChannelInfo info, AnsweredSample first) {
    ValueType ofFirst = first.columns().type();
    boolean widens =
        info.type() != ofFirst && info.type() != ValueType.STRING && ofFirst != ValueType.STRING;
    type = widens ? ValueType.DOUBLE : info.type();
    waveform = info.waveform();
  }

  /** Returns a sample of the type, or the sample itself if there is no such conversion. */
  AnsweredSample of(AnsweredSample sample) {
    EventColumns from = sample.columns();
    boolean sameType = from.type() == type;
    boolean isText = from.type() == ValueType.STRING;
    if (sameType && from.waveform() == waveform
        || from.waveform() && !waveform
        || !sameType && (isText || type != ValueType.DOUBLE)) {
      return sample;
    }
    int elements = sample.endElement() - sample.firstElement();
    EventColumns to = new EventColumns(type, waveform, 1);
    to.count = 1;
    to.state[0] = EventState.VALUE_CODE;
    to.severity[0] = (byte) sample.severity();
    to.status[0] = (short) sample.status();
    to.ensureElements(elements);
    if (waveform) {
      to.listStarts[1] = elements;
    }
    for (int i = 0; i < elements; i++) {
      copy(from, sample.firstElement() + i, to, i);
    }
    converted.set(sample.timeNanos(), to, 0);
    converted.setConnection(sample.lostSeconds(), sample.regainedSeconds());
    return converted;
  }

  private void copy(EventColumns from, int element, EventColumns to, int target) {
    if (type == ValueType.STRING) {
      int start = from.textStarts[element];
      int bytes = from.textStarts[element + 1] - start;
      int at = to.textStarts[target];
      to.ensureText(at + bytes);
      System.arraycopy(from.text, start, to.text, at, bytes);
      to.textStarts[target + 1] = at + bytes;
    } else {
      to.values[target] =
          from.type() == type
              ? from.values[element]
              : Double.doubleToRawLongBits(from.type().number(from.values[element]));
    }
  }

  /** Returns one type for the samples; null if none is known. */
  static @Nullable OneType of(@Nullable ChannelInfo info, AnsweredSample first) {
    return info == null ? null : new OneType(info, first);
  }
}
