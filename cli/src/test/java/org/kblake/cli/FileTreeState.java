package org.kblake.cli;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;

/** The state of a tree of files as text, for comparisons. */
public final class FileTreeState {

  private FileTreeState() {}

  /** Returns a line for each file, directory and link: name, modification time, content. */
  public static String of(Path root) {
    StringBuilder state = new StringBuilder();
    try (Stream<Path> walk = Files.walk(root)) {
      List<Path> files = walk.sorted().toList();
      for (Path file : files) {
        state
            .append(root.relativize(file))
            .append(' ')
            .append(Files.getLastModifiedTime(file, LinkOption.NOFOLLOW_LINKS))
            .append(' ')
            .append(content(file))
            .append('\n');
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return state.toString();
  }

  private static String content(Path file) throws IOException {
    if (Files.isSymbolicLink(file)) {
      return "-> " + Files.readSymbolicLink(file);
    }
    if (!Files.isRegularFile(file)) {
      return "directory";
    }
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      return HexFormat.of().formatHex(digest.digest(Files.readAllBytes(file)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
