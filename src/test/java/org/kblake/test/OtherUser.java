package org.kblake.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.kblake.cli.Kblake;

/**
 * Runs programs as a user of another number, which needs a test that runs as the superuser.
 *
 * @param id the user's number, which needs no name
 * @param classPath of the program, where every user can read it
 */
record OtherUser(int id, List<Path> classPath) {

  /** Where {@code CI=true} these tests have to run. */
  private static final boolean MUST_RUN = "true".equals(System.getenv("CI"));

  /** Says in the summary that a test did not run where there can be no other user. */
  static void assumePossible(Path directory) {
    Shell.Result tried =
        new Shell(directory).run("setpriv --reuid=4001 --regid=4001 --clear-groups id -u");
    if (MUST_RUN) {
      assertThat(tried.out()).as("as the superuser: %s", tried.err()).isEqualTo("4001\n");
    } else {
      assumeThat(tried.out()).as("not the superuser: %s", tried.err()).isEqualTo("4001\n");
    }
  }

  /** Lets every user enter a directory of the test, and all above it that the test made. */
  static void letIn(Path directory) throws IOException {
    Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  /**
   * The classes under test once more, since a home directory may be closed to others.
   *
   * @param into an empty directory
   */
  static List<Path> readableClassPath(Path into) throws IOException {
    List<Path> readable = new ArrayList<>();
    for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
      Path from = Path.of(entry).toAbsolutePath();
      Path to = into.resolve(readable.size() + "-" + from.getFileName());
      if (Files.exists(from)) {
        link(from, to);
        readable.add(to);
      }
    }
    return readable;
  }

  private static void link(Path from, Path to) throws IOException {
    try (Stream<Path> files = Files.walk(from)) {
      for (Path file : (Iterable<Path>) files::iterator) {
        Path target = to.resolve(from.relativize(file).toString());
        if (Files.isDirectory(file)) {
          Files.createDirectories(target);
          letIn(target);
        } else {
          linkOrCopy(file, from.equals(file) ? to : target);
        }
      }
    }
  }

  private static void linkOrCopy(Path from, Path to) throws IOException {
    try {
      Files.createLink(to, from);
    } catch (FileSystemException e) {
      // On another disk.
      Files.copy(from, to);
    }
  }

  /** The words that make a command this user's. */
  List<String> words(List<String> command) {
    List<String> words = new ArrayList<>(List.of("setpriv", "--reuid=" + id, "--regid=" + id));
    words.add("--clear-groups");
    words.addAll(command);
    return words;
  }

  /** Runs a line of bash. */
  Shell.Result shell(Path directory, String line) {
    return new Shell(directory)
        .run(String.join(" ", words(List.of("bash", "-c", Shell.quoted(line)))));
  }

  /** A command of kblake as a part of a line. */
  String quotedKblake(List<String> words) {
    return Stream.of(kblakeCommand(), words)
        .flatMap(List::stream)
        .map(Shell::quoted)
        .collect(Collectors.joining(" "));
  }

  /** Starts a command of kblake; standard error goes to a file, standard output nowhere. */
  Process start(Path directory, Path err, String... args) throws IOException {
    List<String> command = new ArrayList<>(kblakeCommand());
    command.addAll(List.of(args));
    return new ProcessBuilder(words(command))
        .directory(directory.toFile())
        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
        .redirectError(err.toFile())
        .start();
  }

  private List<String> kblakeCommand() {
    return ChildJvm.command(Kblake.class, List.of(), classPath);
  }
}
