package org.kblake.record.host;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/**
 * What is sampled, and how often.
 *
 * @param directory {@code /proc}, or a directory with files like it
 * @param prefix the first part of the names of channels, such as {@code LINUX7}
 * @param hertz samples per second, 1 to 100
 */
public record HostSettings(Path directory, String prefix, int hertz) {

  /** The largest number of samples per second. */
  public static final int MOST_HERTZ = 100;

  private static final Path PROC = Path.of("/proc");

  public HostSettings {
    if (hertz < 1 || hertz > MOST_HERTZ) {
      throw new IllegalArgumentException("rate is not from 1 to 100 Hz: rate=" + hertz);
    }
    if (prefix.isEmpty() || !prefix.chars().allMatch(c -> c > ' ' && c < 0x7F)) {
      throw new IllegalArgumentException("prefix has no letter, or is not ASCII: prefix=" + prefix);
    }
  }

  /** Returns the settings for this machine, whose short name in capitals is the prefix. */
  public static HostSettings ofThisMachine(int hertz) {
    return new HostSettings(PROC, hostName(PROC), hertz);
  }

  /** Returns the same with another prefix. */
  public HostSettings withPrefix(String other) {
    return new HostSettings(directory, other, hertz);
  }

  private static String hostName(Path directory) {
    try {
      Path file = directory.resolve("sys/kernel/hostname");
      String name = Files.readString(file, StandardCharsets.ISO_8859_1).strip();
      String first = name.split("\\.", 2)[0].toUpperCase(Locale.ROOT);
      return first.isEmpty() ? "HOST" : first;
    } catch (IOException e) {
      return "HOST";
    }
  }
}
