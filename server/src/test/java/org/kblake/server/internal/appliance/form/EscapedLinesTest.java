package org.kblake.server.internal.appliance.form;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.kblake.core.model.ValueType;

/** The lines of raw: escapes, and the types of the description of the messages. */
final class EscapedLinesTest {

  @Test
  void linesOfAnyBytesCanBeSeparatedAndDecoded() throws IOException {
    // More than the buffer, with many bytes that need an escape on both sides of its end.
    byte[] bytes = new byte[100_000];
    Random random = new Random(1);
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = new byte[] {0x1b, 0x0a, 0x0d, (byte) random.nextInt(256)}[random.nextInt(4)];
    }
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    EscapedLines lines = new EscapedLines(out);
    lines.write(bytes, 0, bytes.length);
    lines.endLine();
    lines.pass();
    byte[] written = out.toByteArray();
    ByteArrayOutputStream decoded = new ByteArrayOutputStream();
    for (int i = 0; i < written.length - 1; i++) {
      assertThat(written[i]).isNotIn((byte) 0x0a, (byte) 0x0d);
      decoded.write(
          written[i] == 0x1b ? new int[] {0, 0x1b, 0x0a, 0x0d}[written[++i]] : written[i]);
    }
    assertThat(written[written.length - 1]).isEqualTo((byte) 0x0a);
    assertThat(decoded.toByteArray()).isEqualTo(bytes);
  }

  /** The description is for readers and for other programs, and the code follows it. */
  @Test
  void typesHaveTheNumbersOfTheDescription() throws IOException {
    String proto = Files.readString(Path.of("src/main/proto/archiver_appliance.proto"));
    Map<String, Integer> described = new TreeMap<>();
    Matcher constant = Pattern.compile("  (\\w+_\\w+) = (\\d+);").matcher(proto);
    while (constant.find()) {
      described.put(constant.group(1), Integer.parseInt(constant.group(2)));
    }
    Map<String, Integer> coded = new TreeMap<>();
    for (ValueType type : ValueType.values()) {
      String name =
          switch (type) {
            case CHAR -> "BYTE";
            case LONG -> "INT";
            case STRING, SHORT, FLOAT, ENUM, DOUBLE -> type.name();
          };
      coded.put("SCALAR_" + name, RawMessages.type(type, false));
      coded.put("WAVEFORM_" + name, RawMessages.type(type, true));
    }
    assertThat(coded).isEqualTo(described);
  }
}
