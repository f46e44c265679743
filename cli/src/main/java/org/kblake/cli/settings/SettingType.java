package org.kblake.cli.settings;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.StringJoiner;
import java.util.function.Function;
import java.util.function.Predicate;
import org.kblake.format.argument.ByteSize;
import org.kblake.format.argument.DurationArgument;

/**
 * The type of a setting: how its text becomes a value, and which values it may have.
 *
 * @param label the name of the value in the help of an option, which shows the unit
 * @param form how file and command line write it
 * @param parser throws an IllegalArgumentException with the reason if the text is wrong
 * @param range the values that are permitted
 * @param outside what a message says of other values; %s stands for the text
 */
public record SettingType<T>(
    String label, Form form, Function<String, T> parser, Predicate<T> range, String outside) {

  /** How a value is written. */
  public enum Form {
    /** In quotes. */
    TEXT,
    /** With or without quotes. */
    NUMBER,
    /** Parts with commas; an option may be given more than once. */
    LIST,
    /** {@code yes} or {@code no}; an option without a value. */
    SWITCH,
    /** The name of a file, which completion offers. */
    FILE
  }

  public static final SettingType<Long> SIZE = of("SIZE", text -> ByteSize.parse(text).bytes());
  public static final SettingType<Duration> DURATION = of("DURATION", SettingType::positive);
  public static final SettingType<Integer> COUNT = count(1);
  public static final SettingType<Boolean> SWITCH = of("", Form.SWITCH, SettingType::yesOrNo);
  public static final SettingType<Path> FILE = of("FILE", Form.FILE, text -> path(text, "file"));
  public static final SettingType<Path> DIRECTORY = of("DIR", text -> path(text, "directory"));
  public static final SettingType<ListenAddress> ADDRESS = of("HOST:PORT", ListenAddress::parse);

  /** Returns a type whose values are written in quotes. */
  public static <T> SettingType<T> of(String label, Function<String, T> parser) {
    return of(label, Form.TEXT, parser);
  }

  private static <T> SettingType<T> of(String label, Form form, Function<String, T> parser) {
    return new SettingType<>(label, form, parser, value -> true, "");
  }

  /** Returns the type of durations from one to another. */
  public static SettingType<Duration> durations(String least, String most) {
    Duration first = DurationArgument.parse(least);
    Duration last = DurationArgument.parse(most);
    return of(
        "DURATION",
        text -> {
          Duration duration = DurationArgument.parse(text);
          if (duration.compareTo(first) < 0 || duration.compareTo(last) > 0) {
            throw wrong(text, "a duration from " + least + " to " + most);
          }
          return duration;
        });
  }

  /** Returns the type of whole numbers of at most four digits. */
  public static SettingType<Integer> count(int least) {
    return of(
        "N",
        Form.NUMBER,
        text -> {
          if (!text.matches("\\d{1,4}") || Integer.parseInt(text) < least) {
            throw wrong(text, "a number from " + least + " to 9999");
          }
          return Integer.valueOf(text);
        });
  }

  /** Returns the type of lists with commas. */
  public static <T> SettingType<List<T>> list(SettingType<T> word) {
    return of(
        word.label,
        Form.LIST,
        text -> Arrays.stream(text.split(",")).map(String::strip).map(word.parser).toList());
  }

  /** Returns the type of the names of constants. */
  public static <T extends Enum<T>> SettingType<T> constant(Class<T> type) {
    return of("NAME", text -> constant(type, text));
  }

  /** Returns the name of a constant in settings. */
  public static String name(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /**
   * Returns this type with some of its values.
   *
   * @param complaint what a message says of other values, behind the key; %s stands for the text
   */
  public SettingType<T> in(Predicate<T> permitted, String complaint) {
    return new SettingType<>(label, form, parser, permitted, complaint);
  }

  private static Duration positive(String text) {
    Duration duration = DurationArgument.parse(text);
    if (duration.isZero()) {
      throw wrong(text, "a positive duration");
    }
    return duration;
  }

  private static Path path(String text, String kind) {
    try {
      if (!text.isBlank()) {
        return Path.of(text);
      }
    } catch (InvalidPathException e) {
      throw new IllegalArgumentException(wrong(text, "a " + kind).getMessage(), e);
    }
    throw wrong(text, "a " + kind);
  }

  private static Boolean yesOrNo(String text) {
    if (!text.equals("yes") && !text.equals("no")) {
      throw wrong(text, "yes or no");
    }
    return text.equals("yes");
  }

  private static <T extends Enum<T>> T constant(Class<T> type, String text) {
    String wanted = text.replace('-', '_');
    StringJoiner names = new StringJoiner(", ");
    for (T constant : type.getEnumConstants()) {
      if (constant.name().equalsIgnoreCase(wanted)) {
        return constant;
      }
      names.add(name(constant));
    }
    throw wrong(text, "one of " + names);
  }

  private static IllegalArgumentException wrong(String text, String kind) {
    return new IllegalArgumentException("'" + text + "' is not " + kind);
  }
}
