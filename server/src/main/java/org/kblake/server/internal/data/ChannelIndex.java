package org.kblake.server.internal.data;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.kblake.core.archive.Interruption;
import org.kblake.core.model.Channel;
import org.kblake.core.model.ChannelMetadata;
import org.kblake.core.model.Group;
import org.kblake.core.model.NearestNames;
import org.kblake.query.ArchiveReader;
import org.kblake.query.answer.ChannelInfo;
import org.kblake.query.answer.FoundChannels;
import org.kblake.query.question.ChannelPattern;
import org.kblake.query.question.ChannelSelection;
import org.kblake.query.question.EventQuery;
import org.kblake.query.question.UnknownChannelException;
import org.kblake.server.internal.http.HttpStatusException;

/**
 * All channels of an archive, in memory, for searches while a user types. A renamed channel is
 * found by its former names, too. The index is at most a minute old when it is used; while it is
 * read again, searches use the old one. Thread safe.
 */
public final class ChannelIndex {

  private static final long MAX_AGE_NANOS = 60_000_000_000L;

  /** The age of an index that is read again because it does not have a name. */
  private static final long MIN_AGE_NANOS = 2_000_000_000L;

  private static final int MAX_WORDS = 20;

  private final ArchiveReader reader;
  private final AtomicBoolean reading = new AtomicBoolean();

  private volatile @Nullable Names latest;

  /**
   * @param channels the channels by name, and those of a name in the order of their groups in the
   *     archive
   * @param lower the names in lower case, in the order of the channels
   * @param byName the same channels, and the records that are former names of some of them
   * @param former the former names of renamed channels
   * @param isComplete whether all record tables could be read
   * @param readNanos the time of {@link System#nanoTime}
   */
  private record Names(
      List<ChannelInfo> channels,
      List<String> lower,
      Map<String, List<ChannelInfo>> byName,
      Map<Channel, List<String>> former,
      boolean isComplete,
      long readNanos) {

    boolean isYounger(long nanos) {
      return System.nanoTime() - readNanos < nanos;
    }

    List<String> formerOf(Channel channel) {
      return former.getOrDefault(channel, List.of());
    }
  }

  /** A channel and how well its name matches; less is better. */
  private record Match(ChannelInfo channel, int rank) {}

  ChannelIndex(ArchiveReader reader) {
    this.reader = reader;
  }

  /** Returns all channels by name, and those of a name in the order of their groups. */
  public List<ChannelInfo> all() throws IOException {
    return names().channels();
  }

  /** Returns whether all record tables could be read. If not, channels may be missing. */
  public boolean isComplete() throws IOException {
    return names().isComplete();
  }

  /**
   * Returns the channels whose name, or a former name of which, contains each of some words, in any
   * case. Names that begin with the first word come first, then those in which a part begins with
   * it.
   *
   * @param limit the maximum number of channels
   * @throws HttpStatusException if there are more than 20 words
   */
  public List<ChannelInfo> search(String text, int limit) throws IOException {
    Names all = names();
    NamePattern.requireShort("search", text);
    String[] words = text.strip().toLowerCase(Locale.ROOT).split("\\s+");
    if (words.length > MAX_WORDS) {
      throw HttpStatusException.wrong(
          "search", "it has " + words.length + " words, and at most " + MAX_WORDS);
    }
    List<Match> matches = new ArrayList<>();
    for (int i = 0; i < all.lower().size(); i++) {
      Interruption.check();
      int rank = rank(all.lower().get(i), words);
      for (String name : all.formerOf(all.channels().get(i).channel())) {
        int formerRank = rank(name.toLowerCase(Locale.ROOT), words);
        rank = rank < 0 || formerRank >= 0 && formerRank < rank ? formerRank : rank;
      }
      if (rank >= 0) {
        matches.add(new Match(all.channels().get(i), rank));
      }
    }
    // The sort is stable, and channels are sorted by name.
    matches.sort(Comparator.comparingInt(Match::rank));
    return matches.stream().limit(limit).map(Match::channel).toList();
  }

  /**
   * Returns the channels whose name, or a former name of which, matches.
   *
   * @throws HttpStatusException if the pattern is too large for so many names
   */
  public List<ChannelInfo> matching(NamePattern pattern, int limit) throws IOException {
    Names all = names();
    pattern.requireFew(pattern.size(), all.byName().size());
    List<ChannelInfo> found = new ArrayList<>();
    for (ChannelInfo info : all.channels()) {
      Interruption.check();
      if (found.size() == limit) {
        break;
      }
      if (pattern.test(info.channel().name())
          || all.formerOf(info.channel()).stream().anyMatch(pattern)) {
        found.add(info);
      }
    }
    return found;
  }

  /**
   * Returns the names, former ones included, that match, sorted, each once.
   *
   * @throws HttpStatusException if the pattern is too large for so many names
   */
  public List<String> namesMatching(NamePattern pattern, int limit) throws IOException {
    Names all = names();
    pattern.requireFew(pattern.size(), all.byName().size());
    List<String> found = new ArrayList<>();
    for (String name : all.byName().keySet()) {
      Interruption.check();
      if (found.size() == limit) {
        break;
      }
      if (pattern.test(name)) {
        found.add(name);
      }
    }
    return found;
  }

  /** Returns the number of names, former ones included. */
  public int count() throws IOException {
    return names().byName().size();
  }

  /** Returns the former names of a channel. */
  public List<String> formerNamesOf(Channel channel) throws IOException {
    return names().formerOf(channel);
  }

  /**
   * Returns whether a text is a name, and not a pattern, in the index as it is. Only {@code *} is
   * always a pattern.
   */
  public boolean isName(String text) throws IOException {
    return !text.equals("*") && isRecorded().test(text);
  }

  /** Returns the channels of a name as {@link #named} does, in the index as it is. */
  public List<ChannelInfo> namedLately(String name) throws IOException {
    return names().byName().getOrDefault(name, List.of());
  }

  /** Returns a test whether a text is the name of a channel, in the index as it is. */
  public Predicate<String> isRecorded() throws IOException {
    return names().byName()::containsKey;
  }

  /**
   * Returns the channels of a name, one for each group that has it, in the order of the groups. The
   * channel of a former name has the events of this record alone. The index is read again if it
   * does not have the name.
   *
   * @param names the name, and others that count if no channel has those before
   * @return empty if there is none
   */
  public List<ChannelInfo> named(String... names) throws IOException {
    Names known = names();
    List<ChannelInfo> found = named(known, names);
    return found.isEmpty() && !known.isYounger(MIN_AGE_NANOS)
        ? named(read(MIN_AGE_NANOS), names)
        : found;
  }

  private static List<ChannelInfo> named(Names known, String... names) {
    for (String name : names) {
      List<ChannelInfo> found = known.byName().get(name);
      if (found != null) {
        return found;
      }
    }
    return List.of();
  }

  /**
   * Returns {@link #named}.
   *
   * @throws UnknownChannelException if there is none
   */
  public List<ChannelInfo> require(String... names) throws IOException {
    List<ChannelInfo> found = named(names);
    // The reader finds the nearest names.
    return found.isEmpty()
        ? reader.channels(EventQuery.of(ChannelSelection.names(names[names.length - 1])))
        : found;
  }

  /** Returns names that are close to a name. */
  public List<String> nearest(String name) throws IOException {
    return NearestNames.of(name, names().byName().keySet());
  }

  private static int rank(String name, String[] words) {
    for (String word : words) {
      if (!name.contains(word)) {
        return -1;
      }
    }
    int at = name.indexOf(words[0]);
    if (at == 0) {
      return name.length() == words[0].length() ? 0 : 1;
    }
    while (at > 0 && Character.isLetterOrDigit(name.charAt(at - 1))) {
      at = name.indexOf(words[0], at + 1);
    }
    return at > 0 ? 2 : 3;
  }

  private Names names() throws IOException {
    Names known = latest;
    if (known == null) {
      return read(MAX_AGE_NANOS);
    }
    if (known.isYounger(MAX_AGE_NANOS) || !reading.compareAndSet(false, true)) {
      return known;
    }
    try {
      return read(MAX_AGE_NANOS);
    } finally {
      reading.set(false);
    }
  }

  /** Reads the names again, unless another thread has just done it. */
  private synchronized Names read(long maxAgeNanos) throws IOException {
    Names known = latest;
    if (known != null && known.isYounger(maxAgeNanos)) {
      return known;
    }
    List<ChannelInfo> found = new ArrayList<>();
    boolean isComplete;
    try {
      FoundChannels all = reader.find(EventQuery.of(ChannelSelection.glob("*")));
      found.addAll(all.channels());
      isComplete = all.unread().isEmpty();
    } catch (UnknownChannelException e) {
      // The archive has no channels.
      isComplete = e.isCertain();
    }
    // The sort is stable.
    found.sort(Comparator.comparing(info -> info.channel().name()));
    List<String> lower = new ArrayList<>(found.size());
    Map<String, List<ChannelInfo>> byName = new TreeMap<>();
    for (ChannelInfo info : found) {
      Interruption.check();
      String name = info.channel().name();
      lower.add(name.toLowerCase(Locale.ROOT));
      byName.computeIfAbsent(name, any -> new ArrayList<>(1)).add(info);
    }
    Map<Channel, List<String>> former = former(found);
    for (ChannelInfo info : formerChannels(former)) {
      List<ChannelInfo> same =
          byName.computeIfAbsent(info.channel().name(), any -> new ArrayList<>(1));
      if (same.stream().noneMatch(each -> each.channel().equals(info.channel()))) {
        same.add(info);
      }
    }
    known = new Names(List.copyOf(found), lower, byName, former, isComplete, System.nanoTime());
    latest = known;
    return known;
  }

  /** Returns the former names of the renamed ones of some channels. */
  private Map<Channel, List<String>> former(List<ChannelInfo> channels) {
    Set<Group> groups = new LinkedHashSet<>();
    Set<Channel> all = new HashSet<>();
    for (ChannelInfo info : channels) {
      groups.add(info.channel().group());
      all.add(info.channel());
    }
    Map<Channel, List<String>> former = new LinkedHashMap<>();
    for (Group group : groups) {
      for (ChannelMetadata each : reader.renamed(group)) {
        if (all.contains(each.channel())) {
          former.put(each.channel(), each.formerNames());
        }
      }
    }
    return former;
  }

  /** Returns the channels that former names alone are, if they were recorded. */
  private List<ChannelInfo> formerChannels(Map<Channel, List<String>> former) throws IOException {
    Map<Group, Set<String>> byGroup = new LinkedHashMap<>();
    former.forEach(
        (channel, names) ->
            byGroup.computeIfAbsent(channel.group(), any -> new TreeSet<>()).addAll(names));
    List<ChannelInfo> found = new ArrayList<>();
    for (Map.Entry<Group, Set<String>> entry : byGroup.entrySet()) {
      Set<String> names = entry.getValue();
      while (!names.isEmpty()) {
        Interruption.check();
        ChannelSelection selection =
            new ChannelSelection(
                List.of(entry.getKey()), names.stream().map(ChannelPattern::name).toList());
        try {
          List<ChannelInfo> some = reader.channels(EventQuery.of(selection));
          found.addAll(some);
          // A former name of another former name was left out.
          if (!names.removeAll(some.stream().map(info -> info.channel().name()).toList())) {
            break;
          }
        } catch (UnknownChannelException e) {
          if (!names.removeAll(e.nearest().keySet())) {
            break;
          }
        }
      }
    }
    return found;
  }
}
