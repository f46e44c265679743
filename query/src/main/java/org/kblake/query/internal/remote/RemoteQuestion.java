package org.kblake.query.internal.remote;

import java.net.URI;
import java.util.Locale;
import org.kblake.core.model.Group;
import org.kblake.core.model.TimeRange;
import org.kblake.query.question.ChannelPattern;
import org.kblake.query.question.ChannelSelection;
import org.kblake.query.question.EventQuery;
import org.kblake.query.question.HeldQuery;
import org.kblake.query.question.IntervalQuery;
import org.kblake.query.question.Source;

/**
 * The request of a question: the format {@code arrow} of {@code /api/v1/data}, and {@code text} of
 * {@code /api/v1/when}.
 */
public final class RemoteQuestion {

  private RemoteQuestion() {}

  /**
   * Returns the address of a question, without its filter.
   *
   * @param server the address of the server
   */
  public static URI uri(URI server, EventQuery query) {
    StringBuilder text =
        begin(server, "data?format=arrow", query.channels(), query.range(), query.source());
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

  /**
   * Returns the address of a question about intervals.
   *
   * @param server the address of the server
   */
  public static URI uri(URI server, IntervalQuery query) {
    StringBuilder text =
        begin(server, "when?format=text", query.channels(), query.range(), query.source());
    text.append("&is=").append(Words.encode(query.condition().toString()));
    text.append("&least=").append(query.leastNanos());
    text.append("&held=").append(query.lookBackNanos());
    return URI.create(text.toString());
  }

  private static StringBuilder begin(
      URI server, String path, ChannelSelection channels, TimeRange range, Source source) {
    String base = server.toString();
    StringBuilder text = new StringBuilder(base.endsWith("/") ? base : base + "/");
    text.append("api/v1/").append(path);
    text.append("&range=").append(range.fromNanos()).append("..").append(range.toNanos());
    for (Group group : channels.groups()) {
      text.append("&group=").append(Words.encode(group.toString()));
    }
    for (ChannelPattern pattern : channels.patterns()) {
      String kind = pattern.kind().name().toLowerCase(Locale.ROOT);
      text.append("&select=").append(kind).append(':').append(Words.encode(pattern.text()));
    }
    return text.append("&source=").append(source.name().toLowerCase(Locale.ROOT));
  }
}
