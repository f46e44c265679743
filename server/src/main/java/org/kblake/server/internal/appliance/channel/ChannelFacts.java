package org.kblake.server.internal.appliance.channel;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;
import org.kblake.core.model.ChannelMetadata;

/** What is known of a channel, by the names of the fields of an EPICS record. */
public final class ChannelFacts {

  /** The begin of the names of an enum's labels: {@code ENUM_0} and so on. */
  public static final String LABEL = "ENUM_";

  private ChannelFacts() {}

  /** Returns the facts. What is unknown is absent. */
  public static Map<String, String> of(ChannelMetadata metadata) {
    Map<String, String> facts = new LinkedHashMap<>();
    put(facts, "EGU", metadata.unit());
    if (metadata.precision().isPresent()) {
      facts.put("PREC", Integer.toString(metadata.precision().getAsInt()));
    }
    put(facts, "LOPR", metadata.low());
    put(facts, "HOPR", metadata.high());
    put(facts, "LOLO", metadata.lolo());
    put(facts, "LOW", metadata.lo());
    put(facts, "HIGH", metadata.hi());
    put(facts, "HIHI", metadata.hihi());
    put(facts, "DESC", metadata.description());
    for (int state = 0; state < metadata.labels().size(); state++) {
      put(facts, LABEL + state, metadata.labels().get(state));
    }
    return facts;
  }

  private static void put(Map<String, String> facts, String name, @Nullable String text) {
    if (text != null) {
      facts.put(name, text);
    }
  }

  private static void put(Map<String, String> facts, String name, OptionalDouble number) {
    if (number.isPresent()) {
      facts.put(name, Double.toString(number.getAsDouble()));
    }
  }
}
