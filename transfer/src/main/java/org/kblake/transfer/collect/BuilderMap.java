package org.kblake.transfer.collect;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.ToLongFunction;
import java.util.regex.Pattern;
import org.kblake.core.model.Group;
import org.kblake.transfer.GroupPattern;

/**
 * A map of groups to builders that does not change. The groups of a builder that was lost go to the
 * next one in the list that is connected, until it returns.
 */
public final class BuilderMap {

  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,63}");

  private final List<Entry> entries;
  private final List<String> builders;
  private final long takeOverNanos;

  /** Some groups of a builder. */
  public record Entry(String builder, GroupPattern groups) {
    /**
     * @param text {@code NAME=SYSTEM/GROUP}, {@code NAME=SYSTEM/*} or {@code NAME=*}
     * @throws IllegalArgumentException if the text has another form
     */
    public static Entry parse(String text) {
      int sign = text.indexOf('=');
      String name = sign < 0 ? "" : text.substring(0, sign).strip();
      if (!isName(name)) {
        throw new IllegalArgumentException(
            "'" + text + "' is not BUILDER=GROUP, such as builder1=VA/CCG or builder1=VA/*");
      }
      return new Entry(name, new GroupPattern(text.substring(sign + 1).strip()));
    }

    @Override
    public String toString() {
      return builder + "=" + groups.text();
    }
  }

  /**
   * @param entries without any, each builder gets every group
   * @param takeOver how long a builder must be lost before its groups go to another
   * @throws IllegalArgumentException if a group may be of two builders
   */
  public BuilderMap(List<Entry> entries, Duration takeOver) {
    this.entries = List.copyOf(entries);
    builders = entries.stream().map(Entry::builder).distinct().toList();
    takeOverNanos = takeOver.toNanos();
    for (Entry one : entries) {
      for (Entry other : entries) {
        if (!one.builder().equals(other.builder()) && one.groups().meets(other.groups())) {
          throw new IllegalArgumentException(
              "a group would have two builders: " + one + " and " + other);
        }
      }
    }
  }

  /** Returns whether a text may be the name of a builder. */
  public static boolean isName(String text) {
    return NAME.matcher(text).matches();
  }

  /**
   * Returns whether a builder that is connected gets a group now.
   *
   * @param lostNanos returns for how long a builder has been lost; 0 if it is connected
   */
  public boolean gives(Group group, String builder, ToLongFunction<String> lostNanos) {
    if (entries.isEmpty()) {
      return true;
    }
    Optional<Entry> entry = entry(group);
    return entry.isPresent() && builder.equals(holder(entry.get().builder(), lostNanos));
  }

  /** Returns whether some builder gets a group. */
  boolean names(Group group) {
    return entries.isEmpty() || entry(group).isPresent();
  }

  /** Returns whether a builder is in an entry, or needs none. */
  boolean names(String builder) {
    return entries.isEmpty() || builders.contains(builder);
  }

  private Optional<Entry> entry(Group group) {
    return entries.stream().filter(each -> each.groups().matches(group)).findAny();
  }

  /** Returns who has the groups of a builder; empty if they wait for it. */
  private String holder(String home, ToLongFunction<String> lostNanos) {
    long lost = lostNanos.applyAsLong(home);
    if (lost == 0) {
      return home;
    }
    int first = builders.indexOf(home);
    for (int i = 1; i < builders.size() && lost >= takeOverNanos; i++) {
      String next = builders.get((first + i) % builders.size());
      if (lostNanos.applyAsLong(next) == 0) {
        return next;
      }
    }
    return "";
  }
}
