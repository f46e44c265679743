package org.kblake.test.appliance;

import java.io.IOException;
import java.nio.file.Path;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.kblake.test.oracle.NaiveReader;

/** The samples that an answer must have, by the naive reader and the words of docs/server.md. */
final class NaiveSamples {

  private static final List<String> TYPES =
      List.of("string", "short", "float", "enum", "char", "long", "double");

  private static final long YEAR_NANOS = 365L * 86_400 * 1_000_000_000;
  private static final int VALUE = 2;

  /** The events of each channel without strays, in log order. */
  private final Map<String, List<NaiveReader.Event>> events = new TreeMap<>();

  /** Reads the groups of an archive whose pairs are closed. Names of two groups are left out. */
  static NaiveSamples of(Path root, List<String> groups, ZoneId zone, long disorderNanos)
      throws IOException {
    NaiveSamples samples = new NaiveSamples();
    TreeSet<String> twice = new TreeSet<>();
    for (String group : groups) {
      Map<String, List<NaiveReader.Event>> ofGroup = new TreeMap<>();
      for (NaiveReader.Event event : NaiveReader.read(root, group, false, zone, disorderNanos)) {
        List<NaiveReader.Event> all =
            ofGroup.computeIfAbsent(event.record(), name -> new ArrayList<>());
        if (!event.stray()) {
          all.add(event);
        }
      }
      ofGroup.forEach(
          (name, all) -> {
            if (samples.events.putIfAbsent(name, all) != null) {
              twice.add(name);
            }
          });
    }
    samples.events.keySet().removeAll(twice);
    return samples;
  }

  List<String> names() {
    return List.copyOf(events.keySet());
  }

  List<NaiveReader.Event> events(String name) {
    return events.getOrDefault(name, List.of());
  }

  /** Returns the value events in a range, both of whose ends are included, in log order. */
  List<NaiveReader.Event> values(String name, long fromNanos, long toNanos) {
    return events(name).stream()
        .filter(
            event ->
                event.state() == VALUE && fromNanos <= event.nanos() && event.nanos() <= toNanos)
        .toList();
  }

  /** Returns the event that set the value at a time. */
  NaiveReader.@Nullable Event held(String name, long nanos) {
    NaiveReader.Event held = null;
    for (NaiveReader.Event event : values(name, nanos - YEAR_NANOS, nanos)) {
      held = event;
    }
    return held;
  }

  /** Returns the samples of an answer. */
  List<RawDecoder.Decoded> samples(String name, long fromNanos, long toNanos) {
    List<RawDecoder.Decoded> samples = new ArrayList<>();
    Map<String, String> fields = new LinkedHashMap<>();
    NaiveReader.Event held = held(name, fromNanos);
    if (held != null) {
      samples.add(sample(held, Map.of()));
    }
    for (NaiveReader.Event event : events(name)) {
      if (event.nanos() <= fromNanos || event.nanos() > toNanos) {
        continue;
      }
      String seconds = Long.toString(Math.floorDiv(event.nanos(), 1_000_000_000L));
      if (event.state() != VALUE) {
        fields.put(event.state() == 0 ? "cnxlostepsecs" : "cnxregainedepsecs", seconds);
        continue;
      }
      int last = samples.size() - 1;
      if (last >= 0 && event.nanos() < samples.get(last).nanos()) {
        continue;
      }
      if (last >= 0 && event.nanos() == samples.get(last).nanos()) {
        Map<String, String> both = new LinkedHashMap<>(samples.remove(last).fields());
        both.putAll(fields);
        fields = both;
      }
      samples.add(sample(event, fields));
      fields = new LinkedHashMap<>();
    }
    return samples;
  }

  static RawDecoder.Decoded sample(NaiveReader.Event event, Map<String, String> fields) {
    return new RawDecoder.Decoded(
        event.nanos(), event.value(), event.severity(), event.status(), Map.copyOf(fields));
  }

  /** Returns the number of a type in a header. */
  static int type(NaiveReader.Event event) {
    return TYPES.indexOf(event.type()) + (event.elementCount() > 1 ? TYPES.size() : 0);
  }

  /** Returns the bits of an event's numbers as doubles. */
  static List<Object> doubles(NaiveReader.Event event) {
    List<Object> doubles = new ArrayList<>();
    for (Object element : event.value()) {
      doubles.add(Double.doubleToRawLongBits(number(event.type(), (Long) element)));
    }
    return doubles;
  }

  /** Returns the number of an event with a scalar. */
  static double number(NaiveReader.Event event) {
    return number(event.type(), (Long) event.value().get(0));
  }

  private static double number(String type, long bits) {
    return switch (type) {
      case "double" -> Double.longBitsToDouble(bits);
      case "float" -> Float.intBitsToFloat((int) bits);
      default -> bits;
    };
  }

  /** Returns whether an event has one number. */
  static boolean isNumber(NaiveReader.Event event) {
    return event.elementCount() == 1 && !event.type().equals("string");
  }
}
