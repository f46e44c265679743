package org.kblake.query.internal.remote;

import java.net.URI;
import java.util.Locale;
import org.kblake.core.model.Group;
import org.kblake.query.question.ChannelPattern;
import org.kblake.query.question.EventQuery;
import org.kblake.query.question.HeldQuery;

/** The request of a question about events: the door {@code arrow} of {@code /api/v1/data}. */
public final class RemoteQuestion {

  private RemoteQuestion() {}

  /**
   * Returns the address of a question, without its filter.
   *
   * @param server the address of the server
   */
  public static URI uri(URI server, EventQuery query) {
    String base = server.toString();
    StringBuilder text = new StringBuilder(base.endsWith("/") ? base : base + "/");
    text.append("api/v1/data?format=arrow");
    text.append("&range=").append(query.range().fromNanos());
    text.append("..").append(query.range().toNanos());
    for (Group group : query.channels().groups()) {
      text.append("&group=").append(Words.encode(group.toString()));
    }
    for (ChannelPattern pattern : query.channels().patterns()) {
      String kind = pattern.kind().name().toLowerCase(Locale.ROOT);
      text.append("&select=").append(kind).append(':').append(Words.encode(pattern.text()));
    }
    text.append("&source=").append(query.source().name().toLowerCase(Locale.ROOT));
    if (query.hasStrays()) {
      text.append("&strays=true");
    }
    if (query.lastEvents() > 0) {
      text.append("&last=").append(query.lastEvents());
    }
    HeldQuery held = query.heldBefore();
    if (held != null) {
      text.append("&held=").append(held.lookBackNanos());
    }
    return URI.create(text.toString());
  }
}
