package org.kblake.cli.frame;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.kblake.cli.settings.SettingKey;
import org.kblake.cli.settings.SettingType;
import org.kblake.cli.settings.SettingsTable;

/** The options of a command that precede keys of its table in the settings file. */
public final class TableOptions {

  private final Map<SettingKey<?>, Supplier<List<?>>> texts = new LinkedHashMap<>();

  TableOptions(Options options, SettingsTable table) {
    for (SettingKey<?> key : table.keys()) {
      String description = key.option();
      if (description != null) {
        texts.put(key, add(options, key.type(), description, "--" + key.name()));
      }
    }
  }

  private static Supplier<List<?>> add(
      Options options, SettingType<?> type, String description, String name) {
    return switch (type.form()) {
      case SWITCH -> {
        Flag flag = options.flag(description, name);
        yield () -> flag.isSet() ? List.of("yes") : List.of();
      }
      case LIST -> options.values(String.class, type.label(), description, name)::get;
      case FILE -> one(options.value(Path.class, type.label(), description, name));
      default -> one(options.value(String.class, type.label(), description, name));
    };
  }

  private static <T> Supplier<List<?>> one(OptionalValue<T> option) {
    return () -> {
      T value = option.get();
      return value == null ? List.of() : List.of(value);
    };
  }

  /** Returns the texts of the given options. */
  public Map<SettingKey<?>, String> given() {
    Map<SettingKey<?>, String> given = new LinkedHashMap<>();
    texts.forEach(
        (key, fields) -> {
          if (!fields.get().isEmpty()) {
            given.put(key, String.join(",", fields.get().stream().map(String::valueOf).toList()));
          }
        });
    return given;
  }
}
