package org.kblake.cli.run.status;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * {@code kblake-run.json} in a store's root (docs/store-format.md). It is replaced as a whole, so a
 * reader never sees a part of it; it is not forced to the disk, and written only when there is
 * something new, or to say that the process lives.
 */
public final class StatusFile {

  static final String NAME = "kblake-run.json";

  /** How often it is written where nothing changes. */
  static final Duration AT_LEAST_EVERY = Duration.ofSeconds(30);

  private static final ObjectMapper JSON = new ObjectMapper();

  private final Path file;
  private @Nullable RunStatus last;
  private Instant lastWritten = Instant.MIN;

  public StatusFile(Path store) {
    file = store.resolve(NAME);
  }

  /** Writes it if there is something new, or nothing was written for long. */
  public void write(RunStatus status, Instant now) throws IOException {
    RunStatus said = status.at(status.state(), "");
    boolean due = lastWritten.equals(Instant.MIN) || now.isBefore(lastWritten);
    if (!due && said.equals(last) && now.isBefore(lastWritten.plus(AT_LEAST_EVERY))) {
      return;
    }
    Path fresh = file.resolveSibling(NAME + ".new");
    Files.write(fresh, JSON.writeValueAsBytes(status));
    Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE);
    last = said;
    lastWritten = now;
  }

  /**
   * What the process of a store said last.
   *
   * @return null if none ever ran
   * @throws IOException if the file cannot be read, or is none of this program
   */
  public static @Nullable RunStatus read(Path store) throws IOException {
    Path file = store.resolve(NAME);
    try {
      return JSON.readValue(Files.readAllBytes(file), RunStatus.class);
    } catch (NoSuchFileException e) {
      return null;
    } catch (JsonProcessingException e) {
      throw new IOException(
          "status file is damaged: file=" + file + ", found=" + e.getOriginalMessage(), e);
    }
  }
}
