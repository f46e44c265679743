package org.kblake.cli.command.answer;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.kblake.cli.command.shared.ChannelPatterns;
import org.kblake.cli.error.UsageException;
import org.kblake.cli.frame.Session;
import org.kblake.query.question.ChannelPattern;

/** The channels that a command line names in its arguments and in a file. */
public final class ChannelArguments {

  private ChannelArguments() {}

  /**
   * Parses names and globs.
   *
   * @param words the arguments
   * @param file a file with more of them; {@code -} is standard input. The first word of each line
   *     counts, as in the archive's LCF files. Empty lines are skipped.
   * @throws UsageException if there are none, or if one is not a pattern
   */
  public static List<ChannelPattern> of(Session session, List<String> words, @Nullable Path file)
      throws IOException {
    List<String> texts = new ArrayList<>(words);
    if (file != null) {
      boolean standardInput = OutputFile.isStandardStream(file);
      try (InputStream in =
          standardInput ? session.in() : Files.newInputStream(session.path(file))) {
        addLines(in, texts);
      }
    }
    List<ChannelPattern> patterns = ChannelPatterns.of(texts);
    if (patterns.isEmpty()) {
      throw new UsageException(
          file == null
              ? "no channel: name one, or a glob such as 'VA_CCG:*', or --channels-from FILE"
              : "no channel in " + file);
    }
    return patterns;
  }

  private static void addLines(InputStream in, List<String> texts) throws IOException {
    BufferedReader lines = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8));
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      String name = firstWord(line.strip());
      if (!name.isEmpty()) {
        texts.add(name);
      }
    }
  }

  private static String firstWord(String line) {
    for (int i = 0; i < line.length(); i++) {
      if (line.charAt(i) == ' ' || line.charAt(i) >= '\t' && line.charAt(i) <= '\r') {
        return line.substring(0, i);
      }
    }
    return line;
  }
}
