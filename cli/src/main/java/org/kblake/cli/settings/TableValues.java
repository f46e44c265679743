package org.kblake.cli.settings;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.kblake.cli.error.ErrorLine;
import org.kblake.cli.error.UsageException;

/** The values of a table's keys, and their origins. Options precede the file, and the defaults. */
public class TableValues {

  private final SettingsTable table;
  private final @Nullable SettingsFile file;
  private final Path workingDirectory;
  private final Consumer<String> problems;
  private final Map<SettingKey<?>, Value<?>> values = new HashMap<>();

  /**
   * The value of a key.
   *
   * @param text the text; null if it is not set
   * @param parsed the value; null if it is not set
   * @param source the origin
   */
  private record Value<T>(@Nullable String text, @Nullable T parsed, String source) {}

  /**
   * Makes an empty list of values.
   *
   * @param settings other settings of the same file
   * @param problems gets a line on each wrong value, which is then ignored
   */
  public TableValues(SettingsTable table, TableValues settings, Consumer<String> problems) {
    this(table, settings.file, settings.workingDirectory, problems);
  }

  TableValues(
      SettingsTable table,
      @Nullable SettingsFile file,
      Path workingDirectory,
      Consumer<String> problems) {
    this.table = table;
    this.file = file;
    this.workingDirectory = workingDirectory;
    this.problems = problems;
  }

  /**
   * Takes the defaults, the table of the file, and options, and checks the ranges of all values.
   *
   * @param options the texts of the given options
   */
  public final void read(Map<SettingKey<?>, String> options) {
    putDefaults();
    if (file != null) {
      file.table(table.label())
          .forEach(
              (key, value) -> {
                if (!putOther(String.valueOf(key), value)) {
                  put(String.valueOf(key), value);
                }
              });
    }
    options.forEach((key, text) -> put(key, text, "--" + key.name()));
    table.keys().forEach(this::checkRange);
  }

  final void putDefaults() {
    for (SettingKey<?> key : table.keys()) {
      String preset = key.preset();
      if (preset == null) {
        values.put(key, new Value<>(null, null, "not set"));
      } else {
        put(key, preset, "default");
      }
    }
  }

  /**
   * Takes a key of the file that the table does not declare, such as the name of a table below.
   *
   * @return whether the key is known
   */
  protected boolean putOther(String name, Object value) {
    return false;
  }

  /** Makes an empty list of values of a table below, with some of the keys of this one. */
  protected final TableValues below(String kind, String name, List<SettingKey<?>> some) {
    return new TableValues(table.below(kind, name, some), file, workingDirectory, problems);
  }

  /** Takes a value of the file. */
  public final void put(String name, Object value) {
    SettingKey<?> key = table.ofName(name);
    if (key != null && isWritten(value, key.type().form())) {
      String text = value instanceof TextList list ? list.joined() : value.toString();
      put(key, text, String.valueOf(file()));
      return;
    }
    String label = table.label(name);
    problems.accept(
        place(table.path(name))
            + ": "
            + (key == null
                ? SettingsFile.unknownKey(label, name, table.names())
                : label + table.beforeMust() + "must be a text in quotes, found " + value));
  }

  private static boolean isWritten(Object value, SettingType.Form form) {
    return value instanceof String
        || form == SettingType.Form.LIST && value instanceof TextList
        || form == SettingType.Form.NUMBER && value instanceof UnexpectedValue;
  }

  final <T> void put(SettingKey<T> key, String text, String source) {
    try {
      values.put(key, new Value<>(text, key.type().parser().apply(text), source));
    } catch (InvalidPathException e) {
      addWrong(key, e);
    } catch (UsageException e) {
      addWrong(key, new UsageException(place(key, source) + ": " + e.getMessage(), e));
    } catch (IllegalArgumentException e) {
      addWrong(
          key,
          new UsageException(
              place(key, source)
                  + (isOfFile(source) ? ": " + table.label(key.name()) : "")
                  + ": "
                  + e.getMessage(),
              e));
    }
  }

  /**
   * Takes the problem of a value that is wrong, and ignored.
   *
   * @param problem an InvalidPathException if the locale has no such path
   */
  void addWrong(SettingKey<?> key, RuntimeException problem) {
    problems.accept(ErrorLine.of(problem));
  }

  private <T> void checkRange(SettingKey<T> key) {
    T value = find(key);
    if (value != null && !key.type().range().test(value)) {
      report(key, key.name() + " " + key.type().outside().formatted(written(key)));
    }
  }

  /** Reports a problem at the place of a key. */
  public final void report(SettingKey<?> key, String problem) {
    problems.accept(place(key) + ": " + problem);
  }

  /** Reports a problem of the whole table. */
  public final void report(String problem) {
    problems.accept(place() + ": " + table.label() + problem);
  }

  /** Returns the value of a key; null if it is not set. */
  public <T> @Nullable T find(SettingKey<T> key) {
    Value<T> value = value(key);
    return value == null ? null : value.parsed;
  }

  /** Returns the value of a key that is set, or has a default. */
  public final <T> T get(SettingKey<T> key) {
    return Objects.requireNonNull(find(key), key.name());
  }

  /** Returns whether a key has a value. */
  public final boolean isSet(SettingKey<?> key) {
    return find(key) != null;
  }

  /** Returns a path: relative to the settings file that has it, or to the working directory. */
  public final @Nullable Path path(SettingKey<Path> key) {
    Path written = find(key);
    Path base = file();
    if (written == null) {
      return null;
    }
    return base != null && isOfFile(source(key)) ? base.resolveSibling(written) : resolve(written);
  }

  /** Resolves a path in the working directory. */
  public final Path resolve(Path written) {
    return workingDirectory.resolve(written);
  }

  /** Returns the settings file in use, or null if there is none. */
  public final @Nullable Path file() {
    return file == null ? null : file.path();
  }

  /** Returns the text of a key as it is written; null if it is not set. */
  public final @Nullable String written(SettingKey<?> key) {
    Value<?> value = value(key);
    return value == null ? null : value.text;
  }

  /** Returns the origin of a key for messages, with the line if it is in a file. */
  public final String place(SettingKey<?> key) {
    return place(key, source(key));
  }

  private String place(SettingKey<?> key, String source) {
    return isOfFile(source) ? place(table.path(key.name())) : source;
  }

  final boolean isOfFile(String source) {
    return source.equals(String.valueOf(file()));
  }

  /** Returns the file and the line of the table, for messages. */
  public final String place() {
    return place(table.path());
  }

  /** Returns the file and the line of another table of the file; null if the file has none. */
  public final @Nullable String placeOfTable(String name) {
    return file != null && file.hasTable(name) ? file.place(List.of(name)) : null;
  }

  /**
   * Returns the file and the line of a key for messages.
   *
   * @param keys the names of the tables, from the outermost, and the key
   */
  final String place(List<String> keys) {
    return file == null ? "" : file.place(keys);
  }

  /**
   * Returns the origin of a key: an option, a variable, a file, {@code default}, {@code not set}.
   */
  public final String source(SettingKey<?> key) {
    return Objects.requireNonNull(value(key), key.name()).source;
  }

  @SuppressWarnings("unchecked")
  private <T> @Nullable Value<T> value(SettingKey<T> key) {
    return (Value<T>) values.get(key);
  }

  /** Returns the keys and their values in the order of the table. */
  public List<ShownSetting> lines() {
    return table.keys().stream()
        .filter(values::containsKey)
        .map(
            key ->
                new ShownSetting(
                    table.label(key.name()),
                    Objects.requireNonNullElse(shown(key), "-"),
                    source(key)))
        .toList();
  }

  /** Returns a value as it is shown; null if it is not set. */
  @Nullable String shown(SettingKey<?> key) {
    return written(key);
  }
}
