package org.kblake.cli.command.shared;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/** Writes small files for the user as a whole, or not at all. */
public final class WholeFile {

  private static final String KEPT = "nothing was written: file=";

  private WholeFile() {}

  /** Writes a file that does not exist yet. If its disk is full, there is no file afterwards. */
  public static void create(Path file, String text) throws IOException {
    try {
      Files.writeString(file, text, StandardOpenOption.CREATE_NEW);
    } catch (FileAlreadyExistsException e) {
      throw e;
    } catch (IOException e) {
      Files.deleteIfExists(file);
      throw explained(e, file);
    }
  }

  /** Writes or replaces a file. If its disk is full, a file that exists stays as it is. */
  public static void replace(Path file, String text) throws IOException {
    if (Files.exists(file) && !Files.isRegularFile(file)) {
      // A pipe, or a device.
      Files.writeString(file, text);
      return;
    }
    Path fresh = file.resolveSibling(file.getFileName() + ".new");
    try {
      Files.deleteIfExists(fresh);
      Files.writeString(fresh, text, StandardOpenOption.CREATE_NEW);
      Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      Files.deleteIfExists(fresh);
      throw explained(e, file);
    }
  }

  private static IOException explained(IOException error, Path file) {
    Path directory = file.toAbsolutePath().getParent();
    return WriteFailure.explained(error, directory == null ? file : directory, KEPT + file);
  }
}
