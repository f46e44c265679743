package org.kblake.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The same seed gives the same bytes on every JDK and machine and in every version of kblake, so
 * that measurements on a simulated archive can be repeated. A change of a preset must change these
 * digests.
 */
public class SimulatedBytesTest {

  @TempDir Path root;

  @ParameterizedTest
  @CsvSource({
    "DEMO, 1, 0.4, 1, 2765f3f2d245f2c2fc1715b3e289423d657be7ff3945c1f2a69ce6d863a21a8d",
    "DEMO, 7, 0.1, 2, be8fc2ff35e8efac66d5006eeed5c3eec290625f8253e24f31fda8dbb57835f1",
    "SUPERKEKB, 1, 0.06, 0.02, 68f26b659ce2ce11b335e56efc6fd4299113f7b51e5e54d4159bfda3c0c29416",
    "RF_YEAR, 1, 0.025, 0.5, 82df3c3f9cbcc0829dcd1fc409446202098abcd00ee489ab2e5b51722e72b6bf",
    "RF_YEAR, 3, 20, 0.01, bb713aec064784395483db2f5a705967ee872041284d341789d7f33270f6838a"
  })
  void bytesArePinned(Preset preset, long seed, double days, double scale, String expected)
      throws Exception {
    SimulationSettings settings =
        SimulationSettings.of(preset, root).seed(seed).days(days).scale(scale);

    Simulation.run(settings, SimulationListener.NONE);

    assertThat(digest(root)).isEqualTo(expected);
  }

  /** Returns the SHA-256 of the names and bytes of all files, ordered by name. */
  public static String digest(Path root) throws IOException, NoSuchAlgorithmException {
    MessageDigest digest = MessageDigest.getInstance("SHA-256");
    List<Path> files;
    try (Stream<Path> all = Files.walk(root)) {
      files = all.filter(Files::isRegularFile).toList();
    }
    for (String name : files.stream().map(file -> name(root, file)).sorted().toList()) {
      digest.update(name.getBytes(StandardCharsets.UTF_8));
      digest.update(Files.readAllBytes(root.resolve(name)));
    }
    return HexFormat.of().formatHex(digest.digest());
  }

  private static String name(Path root, Path file) {
    return root.relativize(file).toString().replace('\\', '/');
  }
}
