package org.kblake.cli.run.settings;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.StringJoiner;
import org.kblake.core.internal.parquet.page.Codec;
import org.kblake.format.argument.ByteSize;
import org.kblake.format.argument.DurationArgument;
import org.kblake.ingest.internal.live.state.CacheSettings;

/** The forms of the texts of settings. */
public enum SettingForm {
  DURATION,
  DURATION_OR_NEVER,
  SIZE,
  COUNT,
  LEAST,
  CODEC,
  ADDRESS,
  LOG_FORMAT,
  MODE,
  EVICTION,
  DIRECTORY,
  FILE,
  SWITCH;

  /** The parsed value {@code never} of a setting that is a duration. */
  public static final Duration NEVER = Duration.ofSeconds(Long.MAX_VALUE);

  /**
   * Parses a text.
   *
   * @throws IllegalArgumentException if the text is wrong; the message has the reason
   */
  Object parse(String text) {
    return switch (this) {
      case DURATION -> duration(text);
      case DURATION_OR_NEVER -> text.equals("never") ? NEVER : duration(text);
      case SIZE -> ByteSize.parse(text).bytes();
      case COUNT -> count(text, 1);
      case LEAST -> count(text, 0);
      case CODEC -> constant(Codec.values(), text);
      case ADDRESS -> ListenAddress.parse(text);
      case LOG_FORMAT -> constant(LogFormat.values(), text);
      case MODE -> constant(CacheSettings.Mode.values(), text);
      case EVICTION -> constant(CacheSettings.Eviction.values(), text);
      case DIRECTORY -> path(text, "directory");
      case FILE -> path(text, "file");
      case SWITCH -> yesOrNo(text);
    };
  }

  private static Object duration(String text) {
    Duration duration = DurationArgument.parse(text);
    if (duration.isZero()) {
      throw new IllegalArgumentException("'" + text + "' is not a positive duration");
    }
    return duration;
  }

  /** Returns whether a settings file may have the value without quotes. */
  boolean isNumber() {
    return this == COUNT || this == LEAST;
  }

  private static Object count(String text, int least) {
    if (!text.matches("\\d{1,4}") || Integer.parseInt(text) < least) {
      throw new IllegalArgumentException(
          "'" + text + "' is not a number from " + least + " to 9999");
    }
    return Integer.valueOf(text);
  }

  private static Object path(String text, String kind) {
    if (text.isBlank()) {
      throw new IllegalArgumentException("'" + text + "' is not a " + kind);
    }
    return Path.of(text);
  }

  private static Object yesOrNo(String text) {
    return switch (text) {
      case "yes" -> true;
      case "no" -> false;
      default -> throw new IllegalArgumentException("'" + text + "' is not yes or no");
    };
  }

  /** Returns the name of a constant in settings. */
  public static String name(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  private static <T extends Enum<T>> Object constant(T[] constants, String text) {
    String wanted = text.replace('-', '_');
    StringJoiner names = new StringJoiner(", ");
    for (T constant : constants) {
      if (constant.name().equalsIgnoreCase(wanted)) {
        return constant;
      }
      names.add(name(constant));
    }
    throw new IllegalArgumentException("'" + text + "' is not one of " + names);
  }
}
