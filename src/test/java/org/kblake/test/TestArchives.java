package org.kblake.test;

import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Path;
import java.util.Objects;

/** Where the archives among the test resources lie. Read-only: copy one before changing it. */
final class TestArchives {

  private TestArchives() {}

  /** The sample archive with that name: {@code tiny-le}, {@code tiny-be}, {@code mixed}. */
  static Path sample(String name) {
    return resource("samples/" + name).resolve("archive");
  }

  /** The recording of a real machine. */
  static Path real() {
    return resource("real").resolve("archive");
  }

  /** A file or directory among the resources. */
  static Path resource(String name) {
    URL url = Objects.requireNonNull(TestArchives.class.getResource("/" + name), name);
    try {
      return Path.of(url.toURI());
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }
}
