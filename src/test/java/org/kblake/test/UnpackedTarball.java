package org.kblake.test;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * The tarball, unpacked as on a machine that is cut off from the world.
 *
 * @param machine a directory that stands for the machine
 * @param install what was unpacked in it
 */
record UnpackedTarball(Path machine, Path install) {

  private static final Path TARBALL = Path.of(System.getProperty("kblake.tarball", ""));

  /** Unpacks it in an empty directory. */
  static UnpackedTarball in(Path machine) throws IOException {
    assertThat(new Shell(machine).run("tar xzf " + Shell.quoted(TARBALL)).status()).isZero();
    try (Stream<Path> entries = Files.list(machine)) {
      List<Path> directories = entries.filter(Files::isDirectory).toList();
      assertThat(directories).hasSize(1);
      return new UnpackedTarball(machine, directories.get(0));
    }
  }

  static long bytes() throws IOException {
    return Files.size(TARBALL);
  }

  /** A shell on the machine, for an archive of the samples. */
  Shell shell(String sample) {
    return new Shell(machine)
        .with("JAVA_HOME", System.getProperty("java.home"))
        .with("XDG_CACHE_HOME", machine.resolve("caches"))
        .with("KBLAKE_ARCHIVE", TestArchives.sample(sample));
  }

  /** A program of bin as the first word of a line. */
  String command(String program) {
    return Shell.quoted(install.resolve("bin").resolve(program));
  }

  /**
   * Another copy, where no cache can be kept: a file where a directory would have to be stops even
   * the superuser.
   *
   * @param shell looks for the user's caches where there can be none from now on
   */
  UnpackedTarball withoutCaches(Shell shell) throws IOException {
    Path copy = Files.createDirectories(machine.resolve("sealed/kblake"));
    shell.run("cp -r " + Shell.quoted(install) + "/{bin,lib} " + Shell.quoted(copy));
    Files.createFile(copy.resolve("cache"));
    shell.with("XDG_CACHE_HOME", Files.createFile(machine.resolve("no-directory")));
    return new UnpackedTarball(machine, copy);
  }

  /** The home of a Java that is too old to be used: 11.0.2. */
  Path oldJava() throws IOException {
    return java("11.0.2", "");
  }

  /** The home of something in the place of a Java that does not start, and of unknown version. */
  Path brokenJava() throws IOException {
    Path home = java("broken", "#!/bin/sh\necho cannot load libjli.so >&2\nexit 127\n");
    Files.delete(home.resolve("release"));
    return home;
  }

  /** The home of something in the place of a Java that says how nice it is asked to be. */
  Path niceJava() throws IOException {
    return java("17.0.1", "#!/bin/sh\nnice\n");
  }

  private Path java(String version, String program) throws IOException {
    Path home = machine.resolve("jdk-" + version);
    Path java = Files.createDirectories(home.resolve("bin")).resolve("java");
    Files.writeString(java, program);
    assertThat(java.toFile().setExecutable(true)).isTrue();
    Files.writeString(home.resolve("release"), "JAVA_VERSION=\"" + version + "\"\n");
    return home;
  }
}
