package org.kblake.server.internal.api;

import io.javalin.http.Context;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.kblake.core.model.Group;
import org.kblake.core.model.TimeRange;
import org.kblake.format.argument.DurationArgument;
import org.kblake.format.argument.TimeArgument;
import org.kblake.format.argument.TimeArgument.Bound;
import org.kblake.query.answer.ChannelInfo;
import org.kblake.query.question.ChannelPattern;
import org.kblake.query.question.ChannelSelection;
import org.kblake.query.question.EventQuery;
import org.kblake.server.internal.answer.KeptAnswer;
import org.kblake.server.internal.data.AnswerMemory;
import org.kblake.server.internal.data.NamePattern;
import org.kblake.server.internal.data.ServedArchive;
import org.kblake.server.internal.http.HttpStatusException;

/** The parameters of a request. All methods throw a {@link HttpStatusException} on a wrong one. */
public final class Parameters {

  private static final int MAX_CHANNELS = 100;
  private static final int MAX_EXPORTED = 10_000;
  private static final int TOO_LARGE = 413;

  private final Context context;
  private final ServedArchive archive;

  /** The sizes of the patterns so far. */
  private long patternSizes;

  public Parameters(Context context, ServedArchive archive) {
    this.context = context;
    this.archive = archive;
  }

  /** Returns the text of a parameter; null if it is missing or empty. */
  public @Nullable String text(String name) {
    String value = context.queryParam(name);
    return value == null || value.isEmpty() ? null : value;
  }

  /**
   * Returns the channels of names and globs, in the order of the request, at most 100. A name that
   * several groups have is several channels.
   */
  public List<ChannelInfo> knownChannels() throws IOException {
    return knownChannels(MAX_CHANNELS);
  }

  /** Returns the same for an answer that is written while it is read, at most 10,000. */
  List<ChannelInfo> exportedChannels() throws IOException {
    return knownChannels(MAX_EXPORTED);
  }

  private List<ChannelInfo> knownChannels(int most) throws IOException {
    List<String> names = context.queryParams("channel");
    if (names.isEmpty()) {
      throw HttpStatusException.wrong("channel", "it is missing; name at least one channel");
    }
    for (String name : names) {
      few("channel", pattern(name));
    }
    Set<Group> groups = new HashSet<>(groups());
    Set<ChannelInfo> channels = new LinkedHashSet<>();
    Predicate<ChannelInfo> isAsked =
        info -> groups.isEmpty() || groups.contains(info.channel().group());
    for (String name : names) {
      channels(name, isAsked).stream().filter(isAsked).forEach(channels::add);
    }
    if (channels.size() > most) {
      throw new HttpStatusException(
          TOO_LARGE, "too many channels: " + channels.size() + ", at most " + most);
    }
    if (channels.isEmpty()) {
      throw HttpStatusException.wrong("group", "it has none of the channels");
    }
    return List.copyOf(channels);
  }

  private List<ChannelInfo> channels(String text, Predicate<ChannelInfo> isAsked)
      throws IOException {
    boolean isRecorded = archive.channels().namedLately(text).stream().anyMatch(isAsked);
    ChannelPattern pattern = pattern(text).meant(name -> isRecorded).get(0);
    if (pattern.isName()) {
      return archive.channels().require(text);
    }
    List<ChannelInfo> found =
        archive.channels().matching(NamePattern.glob("channel", text), Integer.MAX_VALUE);
    // The reader says why there is none.
    return found.isEmpty()
        ? archive.reader().channels(EventQuery.of(ChannelSelection.glob(text)))
        : found;
  }

  /** Returns what names and globs select, at most 100 of them; all channels without any. */
  ChannelSelection selection() throws IOException {
    List<String> texts = texts("channel");
    if (texts.size() > MAX_CHANNELS) {
      throw new HttpStatusException(
          TOO_LARGE, "too many names and globs: " + texts.size() + ", at most " + MAX_CHANNELS);
    }
    List<ChannelPattern> patterns = new ArrayList<>();
    for (String text : texts.isEmpty() ? List.of("*") : texts) {
      patterns.add(few("channel", pattern(text)));
    }
    return new ChannelSelection(groups(), patterns);
  }

  /** Requires that a pattern, with those before, is not too large for the names. */
  ChannelPattern few(String parameter, ChannelPattern pattern) throws IOException {
    for (ChannelPattern each : pattern.meant(archive.channels().isRecorded())) {
      if (!each.isName()) {
        NamePattern names = NamePattern.of(parameter, each);
        patternSizes += names.size();
        names.requireFew(patternSizes, archive.channels().count());
      }
    }
    return pattern;
  }

  /** Returns about the bytes of a value of each channel of a selection. */
  long valueBytes(ChannelSelection selection) throws IOException {
    Set<Group> groups = new HashSet<>(selection.groups());
    long bytes = 0;
    Predicate<String> isRecorded = archive.channels().isRecorded();
    for (ChannelPattern pattern :
        selection.patterns().stream().flatMap(any -> any.meant(isRecorded).stream()).toList()) {
      List<ChannelInfo> channels =
          pattern.isName()
              ? archive.channels().named(pattern.text())
              : archive.channels().matching(NamePattern.of("channel", pattern), Integer.MAX_VALUE);
      for (ChannelInfo info : channels) {
        if (groups.isEmpty() || groups.contains(info.channel().group())) {
          bytes += AnswerMemory.valueBytes(info);
        }
      }
    }
    return bytes;
  }

  private ChannelPattern pattern(String text) throws IOException {
    ChannelPattern pattern = ChannelPattern.nameOrGlob(text);
    String problem = pattern.isName() ? ChannelPattern.problemOf(text) : null;
    if (problem != null && archive.channels().named(text).isEmpty()) {
      throw HttpStatusException.wrong("channel", problem + ": " + text);
    }
    return pattern;
  }

  /** Returns the groups; none means all. */
  public List<Group> groups() {
    List<Group> groups = new ArrayList<>();
    for (String text : context.queryParams("group")) {
      try {
        groups.add(Group.parse(text));
      } catch (IllegalArgumentException e) {
        throw HttpStatusException.wrong("group", "'" + text + "' is not SYSTEM/GROUP");
      }
    }
    return groups;
  }

  /** Returns the range: by default the last hour. */
  public TimeRange range() {
    String from = text("from");
    String to = text("to");
    long toNanos = time("to", to == null ? "now" : to, Bound.TO);
    long fromNanos = time("from", from == null ? "-1h" : from, Bound.FROM);
    if (fromNanos > toNanos) {
      throw HttpStatusException.wrong(
          "from",
          TimeArgument.text(fromNanos, archive.zone())
              + " is after to, "
              + TimeArgument.text(toNanos, archive.zone()));
    }
    return new TimeRange(fromNanos, toNanos);
  }

  /** Returns an instant, by default the present one; nanoseconds since 1970 UTC. */
  public long instant(String name) {
    String text = text(name);
    return time(name, text == null ? "now" : text, Bound.TO);
  }

  /** Requires an instant, which has no default. */
  void requireInstant(String name) {
    if (text(name) == null) {
      throw HttpStatusException.wrong(name, "it is missing; give an instant");
    }
  }

  /**
   * Returns the begin of a range without an end, by default the present time; nanoseconds since
   * 1970 UTC.
   */
  public long begin(String name) {
    String text = text(name);
    return time(name, text == null ? "now" : text, Bound.FROM);
  }

  private long time(String name, String text, Bound bound) {
    try {
      return TimeArgument.parse(text).nanos(archive.zone(), archive.now(), bound);
    } catch (IllegalArgumentException e) {
      throw HttpStatusException.wrong(name, String.valueOf(e.getMessage()));
    }
  }

  /**
   * Returns whether the client has the answer, so that the request is answered.
   *
   * @param lookBackNanos how much older than the range a held value may be
   */
  boolean isKept(List<ChannelInfo> channels, TimeRange range, long lookBackNanos)
      throws IOException {
    return KeptAnswer.isCurrent(context, archive, channels, range, lookBackNanos);
  }

  /**
   * Returns whether the client has the answer, so that the request is answered.
   *
   * @param conditions those at whose times the answer is
   * @param lookBackNanos how much older than the range a held value of the channels may be
   */
  boolean isKept(ServedConditions conditions, TimeRange range, long lookBackNanos)
      throws IOException {
    if (conditions.isEmpty()) {
      return isKept(exportedChannels(), range, lookBackNanos);
    }
    List<ChannelInfo> all = new ArrayList<>(exportedChannels());
    all.addAll(conditions.channels());
    return isKept(all, conditions.read(range), archive.lookBack().toNanos());
  }

  /** Returns the conditions of {@code when}. */
  ServedConditions conditions() throws IOException {
    return ServedConditions.of("when", texts("when"), List.of(), archive);
  }

  /** Returns a duration in nanoseconds; 0 if it is missing. */
  public long duration(String name) {
    long nanos = duration(name, 0);
    if (nanos == 0 && text(name) != null) {
      throw HttpStatusException.wrong(name, "it is not above 0: " + text(name));
    }
    return nanos;
  }

  /**
   * Returns a duration in nanoseconds, which may be 0.
   *
   * @param missing the duration if there is no parameter
   */
  long duration(String name, long missing) {
    String text = text(name);
    try {
      return text == null ? missing : DurationArgument.parse(text).toNanos();
    } catch (IllegalArgumentException | ArithmeticException e) {
      throw HttpStatusException.wrong(name, String.valueOf(e.getMessage()));
    }
  }

  /**
   * Returns a whole number.
   *
   * @param missing the number if there is no parameter
   */
  public int number(String name, int least, int most, int missing) {
    String text = text(name);
    if (text == null) {
      return missing;
    }
    try {
      int number = Integer.parseInt(text);
      if (number >= least && number <= most) {
        return number;
      }
    } catch (NumberFormatException e) {
      // The error below names the number.
    }
    throw HttpStatusException.wrong(
        name, "'" + text + "' is not a whole number from " + least + " to " + most);
  }

  /** Returns whether times are texts of nanoseconds. */
  public boolean hasNanos() {
    return "nanos".equals(oneOf("time", List.of("millis", "nanos")));
  }

  /** Returns whether NaN and infinities are texts. */
  public boolean hasNonFiniteTexts() {
    return "text".equals(oneOf("nonfinite", List.of("null", "text")));
  }

  /** Returns whether no text of CSV may be a formula of a spreadsheet. */
  boolean isSafe() {
    return "true".equals(oneOf("safe", List.of("false", "true")));
  }

  /** Returns all texts of a parameter. */
  List<String> texts(String name) {
    return context.queryParams(name);
  }

  /** Returns one of some words; the first if the parameter is missing. */
  public String oneOf(String name, List<String> words) {
    String text = text(name);
    if (text == null) {
      return words.get(0);
    }
    if (!words.contains(text)) {
      throw HttpStatusException.wrong(
          name, "'" + text + "' is not one of " + String.join(", ", words));
    }
    return text;
  }
}
