package org.kblake.cli.settings;

import org.jspecify.annotations.Nullable;

/**
 * A key of a table, which {@link SettingsTable#key} declares.
 *
 * @param <T> the type of its values
 */
public final class SettingKey<T> {

  private final String name;
  private final SettingType<T> type;
  private final @Nullable String preset;
  private String meaning = "";
  private @Nullable String option;
  private @Nullable String variable;

  SettingKey(String name, SettingType<T> type, @Nullable String preset) {
    this.name = name;
    this.type = type;
    this.preset = preset;
  }

  /** Sets a few words for manual and documents. */
  public SettingKey<T> means(String words) {
    meaning = words;
    return this;
  }

  /** Declares an option of the same name, with its description in the help. */
  public SettingKey<T> option(String description) {
    option = description;
    return this;
  }

  /** Declares an environment variable, which precedes the file. */
  SettingKey<T> variable(String name) {
    variable = name;
    return this;
  }

  /** Returns the name in kblake.toml, which is also the name of the option if there is one. */
  public String name() {
    return name;
  }

  public SettingType<T> type() {
    return type;
  }

  /** Returns the default as a user would write it; null if there is none. */
  public @Nullable String preset() {
    return preset;
  }

  public String meaning() {
    return meaning;
  }

  /** Returns the description of the option; null if there is none. */
  public @Nullable String option() {
    return option;
  }

  /** Returns the environment variable; null if there is none. */
  public @Nullable String variable() {
    return variable;
  }
}
