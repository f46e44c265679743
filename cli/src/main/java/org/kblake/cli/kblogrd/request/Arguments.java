package org.kblake.cli.kblogrd.request;

import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.kblake.cli.error.UsageException;
import org.kblake.core.model.Group;

/**
 * A command line of kblogrd, parsed as {@code getopt} does: a value may be in the option's word or
 * in the next word, the last of repeated options counts, and {@code --} ends the options.
 */
public final class Arguments {

  public static final String USAGE =
      "kblogrd [-r RECORD[,RECORD]...] [-t START[-[END]][dN]] [-f free|sad|kaleida|csv]"
          + " SYSTEM/GROUP";

  private final List<String> operands = new ArrayList<>();
  private @Nullable String records;
  private @Nullable String times;
  private @Nullable String format;
  private boolean help;
  private boolean version;

  private Arguments() {}

  /**
   * Parses a command line.
   *
   * @throws UsageException if an option is unknown or has no value
   */
  public static Arguments parse(String... words) {
    Arguments arguments = new Arguments();
    int next = 0;
    while (next < words.length) {
      String word = words[next++];
      if (word.equals("--")) {
        while (next < words.length) {
          arguments.operands.add(words[next++]);
        }
      } else if (word.equals("--help") || word.equals("-h")) {
        arguments.help = true;
      } else if (word.equals("--version")) {
        arguments.version = true;
      } else if (word.length() < 2 || word.charAt(0) != '-') {
        arguments.operands.add(word);
      } else {
        String option = word.substring(0, 2);
        if ("-r-t-d-f".indexOf(option) % 2 != 0) {
          throw new UsageException("unknown option " + word + ": " + USAGE);
        }
        String value = word.substring(2);
        if (value.isEmpty()) {
          if (next == words.length) {
            throw new UsageException("option " + option + " has no value: " + USAGE);
          }
          value = words[next++];
        }
        arguments.set(option.charAt(1), value);
      }
    }
    return arguments;
  }

  private void set(char option, String value) {
    switch (option) {
      case 'r' -> records = value;
      case 'f' -> format = value;
      default -> times = value;
    }
  }

  public boolean isForHelp() {
    return help;
  }

  public boolean isForVersion() {
    return version;
  }

  /**
   * Returns the request.
   *
   * @param zone the archive's zone
   * @param now the present time
   * @throws UsageException if the command line is wrong
   */
  public KblogrdRequest request(ZoneId zone, Instant now) {
    Group group = group();
    List<RecordArgument> list = records == null ? List.of() : RecordArgument.parse(records);
    KblogrdRequest.Times period =
        times == null ? new KblogrdRequest.NewestPair() : new TimesArgument(zone, now).parse(times);
    return new KblogrdRequest(group, list, period, formatName());
  }

  private Group group() {
    if (operands.isEmpty()) {
      throw new UsageException("no group: " + USAGE);
    }
    if (operands.size() > 1) {
      throw new UsageException(
          "expected one group, found " + String.join(" ", operands) + ": " + USAGE);
    }
    try {
      return Group.parse(operands.get(0));
    } catch (IllegalArgumentException e) {
      throw new UsageException(
          "expected a group SYSTEM/GROUP, such as VA/CCG, found '" + operands.get(0) + "'", e);
    }
  }

  private FormatName formatName() {
    if (format == null) {
      return FormatName.FREE;
    }
    for (FormatName name : FormatName.values()) {
      if (name.text().equals(format)) {
        return name;
      }
    }
    throw new UsageException("-f must be free, sad, kaleida or csv, found '" + format + "'");
  }
}
