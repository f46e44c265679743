package org.kblake.cli.handover;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.kblake.cli.process.ThisProcess;
import org.kblake.core.internal.log.file.FirstFailure;
import org.kblake.core.internal.store.Store;

/**
 * The files in a store's directory {@code requests/}. The requester writes {@code
 * NAME.request.json}, touches it while it waits for an answer, and removes it. The process that
 * writes the store replaces {@code NAME.answer.json} beside it as a whole. NAME is {@code
 * HOST-PID-NUMBER}.
 */
public final class RequestFiles {

  private static final String REQUEST = ".request.json";
  private static final String ANSWER = ".answer.json";
  private static final String TEMPORARY = ".new";

  /** The limit of a file, larger than the names of all groups of any archive. */
  private static final int LARGEST_BYTES = 1 << 20;

  private static final Duration ABANDONED = Duration.ofMinutes(1);
  private static final ObjectMapper JSON = new ObjectMapper();

  private final Path directory;

  public RequestFiles(Path store) {
    directory = store.resolve(Store.REQUESTS);
  }

  /**
   * Creates the directory. Other processes take its existence as a sign that requests are accepted.
   */
  public void accept() throws IOException {
    Files.createDirectories(directory);
  }

  /** Returns whether requests were ever accepted. */
  public boolean areAccepted() {
    return Files.isDirectory(directory);
  }

  /**
   * Writes a request.
   *
   * @return the request's name
   */
  public String put(HandoverRequest request) throws IOException {
    String host = request.host().replaceAll("[^A-Za-z0-9.]", "_");
    String name = host + "-" + request.pid() + "-" + System.nanoTime();
    replace(name + REQUEST, request);
    return name;
  }

  /**
   * Touches a request, because the requester still waits for the answer.
   *
   * @throws NoSuchFileException if the request was removed
   */
  public void touch(String name) throws IOException {
    Files.setLastModifiedTime(directory.resolve(name + REQUEST), FileTime.from(Instant.now()));
  }

  /** Returns when the request was last written or touched; null if it does not exist. */
  public @Nullable FileTime touched(String name) throws IOException {
    return modified(directory.resolve(name + REQUEST));
  }

  /** Returns when the answer was last written or touched; null if it does not exist. */
  public @Nullable FileTime answered(String name) throws IOException {
    return modified(directory.resolve(name + ANSWER));
  }

  private static @Nullable FileTime modified(Path file) throws IOException {
    try {
      return Files.getLastModifiedTime(file, LinkOption.NOFOLLOW_LINKS);
    } catch (NoSuchFileException e) {
      return null;
    }
  }

  /** Removes a request and its answer. Missing files are ignored. */
  public void remove(String name) throws IOException {
    Files.deleteIfExists(directory.resolve(name + REQUEST));
    Files.deleteIfExists(directory.resolve(name + ANSWER));
  }

  /** Returns the names of all requests, sorted. */
  public List<String> names() throws IOException {
    List<String> names = new ArrayList<>();
    for (String file : files()) {
      if (file.endsWith(REQUEST) && !file.startsWith(".")) {
        names.add(file.substring(0, file.length() - REQUEST.length()));
      }
    }
    names.sort(null);
    return names;
  }

  private List<String> files() throws IOException {
    List<String> files = new ArrayList<>();
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory)) {
      entries.forEach(entry -> files.add(String.valueOf(entry.getFileName())));
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    } catch (NoSuchFileException e) {
      // Without the directory there are no requests
    }
    return files;
  }

  /**
   * Reads a request.
   *
   * @return null if it was removed
   * @throws BadRequestException if the file has invalid content
   */
  public @Nullable HandoverRequest request(String name) throws IOException {
    return read(name + REQUEST, HandoverRequest.class);
  }

  /**
   * Reads an answer.
   *
   * @return null if there is no answer yet
   * @throws BadRequestException if the file has invalid content
   */
  public @Nullable HandoverAnswer answer(String name) throws IOException {
    return read(name + ANSWER, HandoverAnswer.class);
  }

  private <T> @Nullable T read(String fileName, Class<T> type) throws IOException {
    Path file = directory.resolve(fileName);
    try {
      BasicFileAttributes attributes =
          Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
      if (!attributes.isRegularFile()) {
        throw new BadRequestException("is not a plain file: file=" + file);
      }
      byte[] bytes;
      try (InputStream in = Files.newInputStream(file, LinkOption.NOFOLLOW_LINKS)) {
        bytes = in.readNBytes(LARGEST_BYTES + 1);
      }
      if (bytes.length > LARGEST_BYTES) {
        throw new BadRequestException(
            "is too large: file=" + file + ", most bytes=" + LARGEST_BYTES);
      }
      T value = JSON.readValue(bytes, type);
      if (value == null) {
        throw new BadRequestException("is empty: file=" + file);
      }
      return value;
    } catch (NoSuchFileException e) {
      return null;
    } catch (JacksonException e) {
      throw new BadRequestException(
          "is not a valid request: file=" + file + ", found=" + e.getOriginalMessage());
    }
  }

  /** Writes an answer, or replaces it. */
  public void answer(String name, HandoverAnswer answer) throws IOException {
    replace(name + ANSWER, answer);
  }

  /** Touches an answer that is still valid. */
  public void touchAnswer(String name) throws IOException {
    Files.setLastModifiedTime(directory.resolve(name + ANSWER), FileTime.from(Instant.now()));
  }

  /** Replaces a file as a whole. An existing link is replaced and not followed. */
  private void replace(String fileName, Object value) throws IOException {
    Path fresh = directory.resolve("." + fileName + "-" + ThisProcess.pid() + TEMPORARY);
    Files.deleteIfExists(fresh);
    try {
      try (OutputStream out =
          Files.newOutputStream(fresh, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
        out.write(JSON.writeValueAsBytes(value));
      }
      Files.move(fresh, directory.resolve(fileName), StandardCopyOption.ATOMIC_MOVE);
    } catch (Throwable e) {
      FirstFailure.close(e, () -> Files.deleteIfExists(fresh));
      throw e;
    }
  }

  /**
   * Removes files of processes that have ended: answers without a request, and old temporary files.
   */
  public void tidy() throws IOException {
    List<String> names = names();
    for (String file : files()) {
      boolean answer = file.endsWith(ANSWER) && !file.startsWith(".");
      boolean unwanted =
          answer && !names.contains(file.substring(0, file.length() - ANSWER.length()));
      if (unwanted || file.startsWith(".") && file.endsWith(TEMPORARY) && isAbandoned(file)) {
        Files.deleteIfExists(directory.resolve(file));
      }
    }
  }

  private boolean isAbandoned(String file) throws IOException {
    FileTime modified = modified(directory.resolve(file));
    return modified != null && modified.toInstant().plus(ABANDONED).isBefore(Instant.now());
  }
}
