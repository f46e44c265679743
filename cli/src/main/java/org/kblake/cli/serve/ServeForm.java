package org.kblake.cli.serve;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.kblake.cli.run.settings.ListenAddress;
import org.kblake.format.argument.ByteSize;
import org.kblake.format.argument.DurationArgument;
import org.kblake.server.settings.AddressBlock;

/** The forms of the texts of settings. */
enum ServeForm {
  ADDRESS,
  /** Names, separated by commas. */
  NAMES,
  /** Blocks of addresses, separated by commas. */
  BLOCKS,
  FILE,
  SWITCH,
  COUNT,
  /** Bytes. */
  SIZE,
  DURATION;

  private static final Duration LONGEST = Duration.ofDays(1);

  /**
   * Parses a text.
   *
   * @throws IllegalArgumentException if the text is wrong; the message has the reason
   */
  Object parse(String text) {
    return switch (this) {
      case ADDRESS -> ListenAddress.parse(text);
      case NAMES -> names(text);
      case BLOCKS -> words(text).stream().map(AddressBlock::parse).toList();
      case FILE -> file(text);
      case SWITCH -> yesOrNo(text);
      case COUNT -> count(text);
      case SIZE -> ByteSize.parse(text).bytes();
      case DURATION -> duration(text);
    };
  }

  private static List<String> words(String text) {
    return Arrays.stream(text.split(",")).map(String::strip).toList();
  }

  private static List<String> names(String text) {
    List<String> names = words(text);
    for (String name : names) {
      if (name.isEmpty() || name.matches(".*[\\s/@].*|[^\\[:]*:\\d*")) {
        throw new IllegalArgumentException(
            "'" + name + "' is not the name of a host; write it without scheme, port and path");
      }
    }
    return names;
  }

  private static Path file(String text) {
    try {
      if (!text.isBlank()) {
        return Path.of(text);
      }
    } catch (InvalidPathException e) {
      throw new IllegalArgumentException("'" + text + "' is not a file", e);
    }
    throw new IllegalArgumentException("'" + text + "' is not a file");
  }

  private static Boolean yesOrNo(String text) {
    return switch (text) {
      case "yes" -> true;
      case "no" -> false;
      default -> throw new IllegalArgumentException("'" + text + "' is not yes or no");
    };
  }

  private static Integer count(String text) {
    if (!text.matches("\\d{1,4}") || Integer.parseInt(text) < 1) {
      throw new IllegalArgumentException("'" + text + "' is not a number from 1 to 9999");
    }
    return Integer.valueOf(text);
  }

  private static Duration duration(String text) {
    Duration duration = DurationArgument.parse(text);
    if (duration.toMillis() < 1 || duration.compareTo(LONGEST) > 0) {
      throw new IllegalArgumentException("'" + text + "' is not a duration from 1ms to 1d");
    }
    return duration;
  }
}
