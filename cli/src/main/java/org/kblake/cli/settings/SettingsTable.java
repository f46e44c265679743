package org.kblake.cli.settings;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A table of the settings file, such as {@code [run]}. Each key is declared once, in the order in
 * which keys are shown: its type, default and meaning, and its option if there is one. All else
 * comes from the declaration: values, messages, options, lines of {@code config check}, the table
 * in the documents.
 *
 * <p>A new table is a class of keys, a name in {@link SettingsFile#TABLES}, and a line in the
 * command {@code config check}.
 */
public final class SettingsTable {

  private final List<String> path;
  private final String beforeMust;
  private final Map<String, SettingKey<?>> keys = new LinkedHashMap<>();

  private SettingsTable(List<String> path, String beforeMust) {
    this.path = path;
    this.beforeMust = beforeMust;
  }

  /**
   * @param beforeMust what messages have between a key and what its value must be
   */
  public SettingsTable(String name, String beforeMust) {
    this(List.of(name), beforeMust);
  }

  /** Returns the table of the keys that are in no table of the file. */
  static SettingsTable ofAllCommands() {
    return new SettingsTable(List.of(), " ");
  }

  /** Declares a key without a default. */
  public <T> SettingKey<T> key(String name, SettingType<T> type) {
    return key(name, type, null);
  }

  /**
   * Declares a key.
   *
   * @param preset the default as a user would write it; null for none
   */
  public <T> SettingKey<T> key(String name, SettingType<T> type, @Nullable String preset) {
    SettingKey<T> key = new SettingKey<>(name, type, preset);
    keys.put(name, key);
    return key;
  }

  /** Returns the table {@code [LABEL.KIND."NAME"]}, which has some of the keys of this one. */
  public SettingsTable below(String kind, String name, List<SettingKey<?>> some) {
    List<String> names = new ArrayList<>(path);
    names.addAll(List.of(kind, name));
    SettingsTable below = new SettingsTable(names, beforeMust);
    some.forEach(key -> below.keys.put(key.name(), key));
    return below;
  }

  /** Returns the keys in the order in which they were declared. */
  public Collection<SettingKey<?>> keys() {
    return keys.values();
  }

  @Nullable SettingKey<?> ofName(String name) {
    return keys.get(name);
  }

  List<String> names() {
    return List.copyOf(keys.keySet());
  }

  /** Returns the names of the tables, as in messages: {@code run.group."VA/CCG"}. */
  String label() {
    return path.size() < 2
        ? String.join(".", path)
        : String.join(".", path.subList(0, 2)) + ".\"" + path.get(2) + "\"";
  }

  /** Returns a key with the names of its tables, as in messages. */
  public String label(String key) {
    return path.isEmpty() ? key : label() + "." + key;
  }

  /** Returns the names of the tables and a key, from the outermost. */
  List<String> path(String... inner) {
    List<String> names = new ArrayList<>(path);
    names.addAll(List.of(inner));
    return names;
  }

  String beforeMust() {
    return beforeMust;
  }
}
