package org.kblake.cli.files;

import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.kblake.core.model.Group;
import org.kblake.core.model.ValueType;

/**
 * The names of views: {@code VA_CCG}, {@code VA_CCG_double}, {@code BM_BLM_short_waveform}. They
 * consist of letters, digits and underscores, so they need no quotes. SQL ignores case, so no two
 * names differ in case only. They depend on all groups of the store, and not on the groups or types
 * that are requested.
 */
public final class ViewNames {

  private final Map<Group, Map<String, String>> names = new HashMap<>();
  private final Set<String> taken = new HashSet<>();

  /**
   * @param groups all groups of the store
   */
  ViewNames(Collection<Group> groups) {
    this(groups, List.of(), List.of());
  }

  /**
   * @param groups all groups
   * @param reserved names that no view of a group has
   * @param more further kinds of views of a group, beside its value types
   */
  public ViewNames(Collection<Group> groups, List<String> reserved, List<String> more) {
    reserved.forEach(this::take);
    for (Group group : new TreeSet<>(groups)) {
      Map<String, String> byKind = new HashMap<>();
      names.put(group, byKind);
      byKind.put("", take(identifier(group)));
      for (ValueType type : ValueType.values()) {
        for (String kind : List.of(type.text(), type.text() + "-waveform")) {
          byKind.put(kind, take(identifier(group) + "_" + kind.replace('-', '_')));
        }
      }
      for (String kind : more) {
        byKind.put(kind, take(identifier(group) + "_" + kind));
      }
    }
  }

  private static String identifier(Group group) {
    String text = (group.system() + "_" + group.name()).replaceAll("[^A-Za-z0-9_]", "_");
    return Character.isDigit(text.charAt(0)) ? "_" + text : text;
  }

  private String take(String wanted) {
    String name = wanted;
    for (int i = 2; !taken.add(name.toLowerCase(Locale.ROOT)); i++) {
      name = wanted + "_" + i;
    }
    return name;
  }

  /** Returns the name of the view over all scalar numbers of a group. */
  public String of(Group group) {
    return of(group, "");
  }

  /**
   * Returns the name of the view over a group's files of one kind.
   *
   * @param kind a kind of {@link StoredFiles#byKind}
   */
  public String of(Group group, String kind) {
    String name = names.getOrDefault(group, Map.of()).get(kind);
    if (name == null) {
      throw new IllegalArgumentException("no such view: group=" + group + ", kind=" + kind);
    }
    return name;
  }
}
