package org.kblake.server.internal.answer;

import io.javalin.http.Context;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.kblake.core.model.EpochNanos;
import org.kblake.core.model.Group;
import org.kblake.core.model.TimeRange;
import org.kblake.query.answer.ChannelInfo;
import org.kblake.server.internal.data.ServedArchive;

/**
 * Answers that clients may keep. A complete answer about a closed range has an entity tag, which is
 * made before the answer from everything that it depends on: the request, the process, the channels
 * and their metadata, and the state of the files. So an answer that became different has another
 * tag. A client asks each time whether its answer still has the tag, because a log may land later
 * at any moment. All other answers are not kept.
 */
public final class KeptAnswer {

  private static final String COMPLETE = "Kblake-Complete";
  private static final String CACHE = "Cache-Control";
  private static final String TAG = "kblake-tag";
  private static final int NOT_MODIFIED = 304;

  private KeptAnswer() {}

  /**
   * Finds the tag of an answer about channels. If the client has it, it gets the status 304.
   *
   * @param channels all channels of which the answer may have something
   * @param lookBackNanos how much older than the range a held value may be
   * @return whether the request is answered
   */
  public static boolean isCurrent(
      Context context,
      ServedArchive archive,
      List<ChannelInfo> channels,
      TimeRange range,
      long lookBackNanos)
      throws IOException {
    Set<Group> groups = new LinkedHashSet<>();
    channels.forEach(info -> groups.add(info.channel().group()));
    return isCurrent(context, archive, groups, channels, range, lookBackNanos);
  }

  /**
   * Finds the tag of an answer. If the client has the answer, it gets the status 304.
   *
   * @param groups the groups of the answer
   * @param channels all channels of which the answer may have something
   * @param lookBackNanos how much older than the range a held value may be
   * @return whether the request is answered
   */
  public static boolean isCurrent(
      Context context,
      ServedArchive archive,
      Collection<Group> groups,
      List<ChannelInfo> channels,
      TimeRange range,
      long lookBackNanos)
      throws IOException {
    // Losses of any range may be stated later.
    if (range.toNanos() > EpochNanos.of(archive.now()) || !archive.isWithoutLedger()) {
      return false;
    }
    String state =
        archive
            .reader()
            .closedState(
                groups,
                new TimeRange(EpochNanos.minus(range.fromNanos(), lookBackNanos), range.toNanos()));
    if (state == null) {
      return false;
    }
    StringBuilder all = new StringBuilder(state);
    all.append(archive.process()).append('\n').append(context.path());
    all.append('?').append(context.queryString());
    all.append('\n').append(Objects.requireNonNullElse(context.header("Accept-Encoding"), ""));
    // Times of a request may be relative to the present time.
    all.append('\n').append(range.fromNanos()).append("..").append(range.toNanos());
    for (ChannelInfo info : channels) {
      all.append('\n').append(info).append(archive.reader().metadata(info.channel()));
    }
    String tag = '"' + digest(all.toString()) + '"';
    if (has(context.header("If-None-Match"), tag)) {
      addHeaders(context, tag);
      context.status(NOT_MODIFIED);
      return true;
    }
    context.attribute(TAG, tag);
    return false;
  }

  private static boolean has(@Nullable String tags, String tag) {
    if (tags != null) {
      for (String each : tags.split(",")) {
        String stripped = each.strip();
        if (stripped.equals(tag) || stripped.equals("W/" + tag)) {
          return true;
        }
      }
    }
    return false;
  }

  private static String digest(String text) {
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
      return Base64.getUrlEncoder().withoutPadding().encodeToString(digest);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("each Java has SHA-256", e);
    }
  }

  /** Adds the headers that say whether an answer is complete, and whether it may be kept. */
  public static void addCompleteness(Context context, boolean isComplete) {
    context.header(COMPLETE, Boolean.toString(isComplete));
    String tag = context.attribute(TAG);
    if (isComplete && tag != null) {
      addHeaders(context, tag);
    }
  }

  /** Adds the header of an answer whose end will say whether it is complete. It is not kept. */
  static void addUnknownCompleteness(Context context) {
    context.header(COMPLETE, "unknown");
  }

  /** Removes the header that depends on whether an answer that is not made would be complete. */
  static void leaveOpen(Context context) {
    if (context.attribute(TAG) != null) {
      context.res().setHeader(CACHE, null);
    }
  }

  private static void addHeaders(Context context, String tag) {
    context.header("ETag", tag);
    context.header(CACHE, "private, no-cache");
    context.header("Vary", "Accept-Encoding");
  }
}
