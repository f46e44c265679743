package org.kblake.cli.command.shared;

import java.io.IOException;
import java.io.Reader;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/**
 * The last run of {@code kblake verify} over all blocks of a store: the file {@code last-verify} in
 * the store's root (docs/store-format.md).
 *
 * @param date the end of the run
 * @param blocks the number of blocks
 * @param wrong the number of wrong blocks that are still in the store
 */
public record LastVerify(Instant date, long blocks, long wrong) {

  private static final String NAME = "last-verify";

  /** Writes the file. Does nothing if this user may not write to the store. */
  public void write(Path store) {
    Properties lines = new Properties();
    lines.setProperty("date", date.toString());
    lines.setProperty("blocks", Long.toString(blocks));
    lines.setProperty("wrong", Long.toString(wrong));
    try {
      StringWriter text = new StringWriter();
      lines.store(text, null);
      Path fresh = store.resolve(NAME + ".new");
      Files.writeString(fresh, text.toString());
      Files.move(fresh, store.resolve(NAME), StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      // The result of the command is printed. Only status does not show it.
    }
  }

  /** Reads the file of a store; null if there is none, or it is damaged. */
  public static @Nullable LastVerify read(Path store) throws IOException {
    Properties lines = new Properties();
    try (Reader text = Files.newBufferedReader(store.resolve(NAME))) {
      lines.load(text);
      return new LastVerify(
          Instant.parse(lines.getProperty("date", "")),
          Long.parseLong(lines.getProperty("blocks", "")),
          Long.parseLong(lines.getProperty("wrong", "")));
    } catch (NoSuchFileException | DateTimeException | IllegalArgumentException e) {
      return null;
    }
  }
}
