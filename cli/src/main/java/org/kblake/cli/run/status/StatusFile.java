package org.kblake.cli.run.status;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParseException;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.jr.ob.JSON;
import java.io.CharConversionException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The file {@code kblake-run.json} in a store's root (docs/store-format.md). It is replaced as a
 * whole, so a reader never gets a part of it. It is not forced to the disk. It is written only if
 * the status has changed, or to show that the process runs. A spare file keeps room for it, so that
 * it can be replaced on a full disk.
 */
public final class StatusFile {

  static final String NAME = "kblake-run.json";

  /** The spare file: at least as long as the status. */
  private static final String ROOM = NAME + ".room";

  private static final Duration MAX_EVERY = Duration.ofDays(1);
  private static final int MAX_BYTES = 16 << 20;
  private static final String LACKING = "a field that is missing or wrong";

  private static final int MIN_ROOM_BYTES = 1 << 14;

  /** The interval between writes if the status does not change. */
  static final Duration AT_LEAST_EVERY = Duration.ofSeconds(30);

  private static final JSON FORMAT =
      JSON.std.with(
          JSON.Feature.WRITE_NULL_PROPERTIES,
          JSON.Feature.WRITE_RECORD_FIELDS_IN_DECLARATION_ORDER);

  private final Path file;
  private @Nullable RunStatus last;
  private Instant lastWritten = Instant.MIN;

  public StatusFile(Path store) {
    file = store.resolve(NAME);
  }

  /** Writes the status if it has changed, or if the last write is older than the interval. */
  public void write(RunStatus status, Instant now) throws IOException {
    RunStatus content = status.at(status.state(), "");
    boolean due = lastWritten.equals(Instant.MIN) || now.isBefore(lastWritten);
    if (!due && content.equals(last) && now.isBefore(lastWritten.plus(AT_LEAST_EVERY))) {
      return;
    }
    byte[] bytes = FORMAT.asBytes(status);
    Path fresh = file.resolveSibling(NAME + ".new");
    try {
      replace(fresh, bytes);
    } catch (IOException e) {
      // The disk is full. The spare file has the room.
      Files.deleteIfExists(fresh);
      Files.deleteIfExists(file.resolveSibling(ROOM));
      replace(fresh, bytes);
    }
    keepRoom(bytes.length);
    last = content;
    lastWritten = now;
  }

  private void replace(Path fresh, byte[] bytes) throws IOException {
    Files.write(fresh, bytes);
    Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE);
  }

  /** Makes the spare file long enough for a status that is twice as long. */
  private void keepRoom(int bytes) throws IOException {
    Path room = file.resolveSibling(ROOM);
    if (Files.notExists(room) || Files.size(room) < bytes) {
      byte[] spaces = new byte[Math.max(MIN_ROOM_BYTES, 2 * bytes)];
      Arrays.fill(spaces, (byte) ' ');
      try {
        Files.write(room, spaces);
      } catch (IOException e) {
        // The status itself is written. The next one may make the room.
        Files.deleteIfExists(room);
      }
    }
  }

  /** Writes a status as the next value of a JSON text. */
  public static void write(RunStatus status, JsonGenerator json) throws IOException {
    FORMAT.write(status, json);
  }

  /**
   * Reads the last status of the process of a store.
   *
   * @return null if no process ever ran
   * @throws IOException if the file cannot be read, or is damaged
   */
  public static @Nullable RunStatus read(Path store) throws IOException {
    Path file = store.resolve(NAME);
    try (JsonParser parser = new JsonFactory().createParser(bytes(file))) {
      RunStatus status = FORMAT.beanFrom(RunStatus.class, parser);
      if (parser.nextToken() != null) {
        throw damaged(file, parser.getText(), null);
      }
      return checked(status);
    } catch (NoSuchFileException e) {
      return null;
    } catch (JsonParseException e) {
      throw damaged(file, e.getOriginalMessage(), e);
    } catch (JsonProcessingException e) {
      // A text where an object is expected, or a record that refuses its fields
      throw damaged(file, LACKING, e);
    } catch (CharConversionException e) {
      throw damaged(file, String.valueOf(e.getMessage()), e);
    } catch (NullPointerException | DateTimeException e) {
      throw damaged(file, LACKING, e);
    }
  }

  private static byte[] bytes(Path file) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      byte[] bytes = in.readNBytes(MAX_BYTES + 1);
      if (bytes.length > MAX_BYTES) {
        throw damaged(file, "more than " + MAX_BYTES + " bytes", null);
      }
      return bytes;
    }
  }

  private static IOException damaged(Path file, String found, @Nullable Exception cause) {
    return new IOException(
        "status file is damaged: file="
            + file
            + ", found="
            + found
            + "; a running kblake run writes it again within "
            + AT_LEAST_EVERY.toSeconds()
            + " s",
        cause);
  }

  /**
   * Returns a status in which nothing is null that every version has written, and no number or time
   * is beyond what its readers can show.
   */
  private static RunStatus checked(RunStatus status) {
    for (Object each :
        Arrays.asList(
            status.state(), status.host(), status.counters(), status.rates(), status.disk())) {
      Objects.requireNonNull(each);
    }
    for (String time : List.of(status.since(), status.written(), status.countersSince())) {
      requireTime(time);
    }
    for (RunStatus.GroupNumbers group : status.groups()) {
      Objects.requireNonNull(group.group());
      Objects.requireNonNull(group.mode());
      if (group.newestEvent() != null) {
        requireTime(group.newestEvent());
      }
    }
    if (status.everySeconds() < 0 || status.everySeconds() > MAX_EVERY.toSeconds()) {
      throw new DateTimeException("interval of " + status.everySeconds() + " s");
    }
    return status;
  }

  private static void requireTime(String time) {
    int year = Instant.parse(time).atOffset(ZoneOffset.UTC).getYear();
    if (year < 0 || year > 9999) {
      throw new DateTimeException("year " + year);
    }
  }
}
