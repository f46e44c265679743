package org.kblake.core.metadata;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.core.internal.fixture.Seeds;
import org.kblake.core.model.ChannelMetadata;
import org.kblake.core.model.EpochNanos;
import org.kblake.core.model.Group;

class MetadataFolderTest {

  private static final Group GROUP = new Group("BM", "DCCT");
  private static final ZoneId TOKYO = ZoneId.of("Asia/Tokyo");
  private static final String HEADER =
      "name,unit,precision,low,high,lolo,lo,hi,hihi,labels,description,former\n";

  @TempDir Path directory;
  private Instant now = Instant.now();
  private MetadataFolder folder;
  private Path file;

  @BeforeEach
  void folder() throws IOException {
    folder = new MetadataFolder(directory, TOKYO, () -> now);
    file = Files.createDirectories(directory.resolve("BM/DCCT")).resolve("channels.csv");
  }

  private GroupMetadata parsed(String text) {
    return ChannelsParser.parse(GROUP, file, TOKYO, text.getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void everyColumnOfALineIsRead() {
    GroupMetadata group =
        parsed(
            HEADER
                + "BMLDCCT:CURRENT,mA,3,0,1.5e3,-5,-1,1200,1300,,\"LER current, \"\"DC\"\"\n(CT)\","
                + "BML:OLD|BML:OLDER until 2019-04-01\n"
                + "VA:VALVE,,,,,,,,,Closed| Open |,弁,\n");
    assertThat(group.problems()).isEmpty();
    ChannelMetadata current = group.of("BMLDCCT:CURRENT");
    assertThat(current.unit()).isEqualTo("mA");
    assertThat(current.precision()).isEqualTo(OptionalInt.of(3));
    assertThat(current.low()).isEqualTo(OptionalDouble.of(0));
    assertThat(current.high()).isEqualTo(OptionalDouble.of(1500));
    assertThat(current.lolo()).isEqualTo(OptionalDouble.of(-5));
    assertThat(current.lo()).isEqualTo(OptionalDouble.of(-1));
    assertThat(current.hi()).isEqualTo(OptionalDouble.of(1200));
    assertThat(current.hihi()).isEqualTo(OptionalDouble.of(1300));
    assertThat(current.description()).isEqualTo("LER current, \"DC\"\n(CT)");
    assertThat(current.formerNames()).containsExactly("BML:OLD", "BML:OLDER");
    assertThat(group.aliases().formerOf("BMLDCCT:CURRENT"))
        .containsExactly(
            new RecordName("BML:OLD"),
            new RecordName(
                "BML:OLDER", Long.MIN_VALUE, EpochNanos.of(Instant.parse("2019-03-31T15:00:00Z"))));
    assertThat(group.of("BML:OLD").presentNames()).containsExactly("BMLDCCT:CURRENT");
    assertThat(group.of("BML:OLD").unit()).isNull();
    assertThat(group.of("VA:VALVE").labels()).containsExactly("Closed", "Open", "");
    assertThat(group.of("VA:VALVE").description()).isEqualTo("弁");
    assertThat(group.of("VA:VALVE").precision()).isEmpty();
  }

  @Test
  void aFileWithoutAColumnOfFormerNamesIsNotParsedForThem() throws IOException {
    Files.writeString(file, "name,unit\nA,mA\n");
    assertThat(folder.ofNames(GROUP).channels()).isEmpty();
    assertThat(folder.of(GROUP).of("A").unit()).isEqualTo("mA");
    for (String other :
        List.of(
            "name,former\nA,B\n",
            "\ufeffname, FORMER \r\nA,B\r\n",
            "\nname,former\nA,B\n",
            "\"name\",\"unit\n(SI)\",former\nA,mA,B\n",
            "name,former,x" + "x".repeat(1 << 13) + "\nA,B\n")) {
      Files.writeString(file, other);
      assertThat(folder.ofNames(GROUP).aliases().presentOf("B")).containsExactly("A");
    }
    Files.write(file, "n\u00e4me\nname,former\nA,B\n".getBytes(StandardCharsets.ISO_8859_1));
    assertThat(folder.ofNames(GROUP).aliases().presentOf("B")).containsExactly("A");
    Files.writeString(file, "channel\nA\n");
    assertThat(folder.ofNames(GROUP).unread()).contains("has no column name");
    Files.delete(file);
    assertThat(folder.ofNames(GROUP).channels()).isEmpty();
  }

  @Test
  void columnsMayHaveAnyOrderAndOthersAreIgnored() {
    GroupMetadata group = parsed("\ufeffowner, Unit ,NAME\r\n\r\nkim,Pa,A\r\nkim,\r\n,V,B");
    assertThat(group.of("A").unit()).isEqualTo("Pa");
    assertThat(group.of("B").unit()).isEqualTo("V");
    assertThat(group.problems())
        .containsExactly(file + ": line 4: name is empty, the line is left out");
  }

  @Test
  void wrongCellsAreUnknownAndReportedWithTheirLine() {
    GroupMetadata group =
        parsed(
            HEADER
                + "A,mA,-1,zero,NaN,0x10,1d,1e999,,,,A|B C|D until soon|E|E\n"
                + "\"two\nlines\",V,3.5,,,,,,,,,\n"
                + "A,kA,,,,,,,,,,\n"
                + "C,mA,2\n");
    ChannelMetadata a = group.of("A");
    assertThat(a.unit()).isEqualTo("mA");
    assertThat(a.precision()).isEmpty();
    assertThat(List.of(a.low(), a.high(), a.lolo(), a.lo(), a.hi()))
        .containsOnly(OptionalDouble.empty());
    assertThat(a.formerNames()).containsExactly("E");
    assertThat(group.of("C").precision()).hasValue(2);
    String at = file + ": line ";
    assertThat(group.problems())
        .containsExactlyInAnyOrder(
            at + "2: precision must be a number of digits from 0 to 30, found -1",
            at + "2: low must be a number such as -1.5e3, found zero",
            at + "2: high must be a number such as -1.5e3, found NaN",
            at + "2: lolo must be a number such as -1.5e3, found 0x10",
            at + "2: lo must be a number such as -1.5e3, found 1d",
            at + "2: hi must be a number such as -1.5e3, found 1e999",
            at + "2: former must be names that differ from the present one, found A",
            at + "2: former must be NAME or NAME until 2019-04-01, separated by |, found B C",
            at
                + "2: former must be NAME or NAME until 2019-04-01, separated by |, found D until soon",
            at + "2: former must be each name once, found E",
            at + "3: precision must be a number of digits from 0 to 30, found 3.5",
            at + "5: channel occurs twice, the first line counts: A");
  }

  @Test
  void eventsOfARecordThatWasSeveralChannelsAreDivided() {
    GroupMetadata group =
        parsed(
            "name,former\nB,A until 2010-01-01\nC,A until 2015-01-01\nD,A until 2010-01-01\nE,A\n");
    long to2010 = EpochNanos.of(Instant.parse("2009-12-31T15:00:00Z"));
    long to2015 = EpochNanos.of(Instant.parse("2014-12-31T15:00:00Z"));
    Aliases aliases = group.aliases();
    assertThat(aliases.formerOf("B")).containsExactly(new RecordName("A", Long.MIN_VALUE, to2010));
    assertThat(aliases.formerOf("C")).containsExactly(new RecordName("A", to2010, to2015));
    assertThat(aliases.formerOf("E")).containsExactly(new RecordName("A", to2015, Long.MAX_VALUE));
    assertThat(group.problems())
        .containsExactly(file + ": line 4: former name belongs to another channel already: A");
    assertThat(group.of("A").presentNames()).containsExactly("B", "C", "E");
  }

  @Test
  void aLineWithWrongQuotesDoesNotEndTheFile() {
    GroupMetadata group = parsed("name,unit\nA,mA\nB,\"m\nC,\"k\"A\nD,V\n");
    assertThat(group.channels().keySet()).contains("A", "D").doesNotContain("B", "C");
    assertThat(group.problems()).isNotEmpty().allMatch(line -> line.matches(".*: line [34]: .*"));
  }

  @Test
  void aLineInAnotherEncodingIsLeftOut() {
    byte[] text = "name,description\nA,電流\nB,ok\n".getBytes(Charset.forName("EUC-JP"));
    GroupMetadata group = ChannelsParser.parse(GROUP, file, TOKYO, text);
    assertThat(group.of("A").description()).isNull();
    assertThat(group.of("B").description()).isEqualTo("ok");
    assertThat(group.problems()).hasSize(1).first().asString().contains(": line 2: not UTF-8");
  }

  @Test
  void aFileWithoutNamesOrTooLargeIsNotUsed() throws IOException {
    assertThat(parsed("unit,low\nmA,3\n").unread()).contains("line 1", "no column name");
    Files.write(file, new byte[MetadataFolder.MAX_BYTES + 1]);
    assertThat(folder.of(GROUP).unread()).contains("larger than 16 MiB");
    assertThat(folder.of(GROUP).of("A"))
        .isEqualTo(ChannelMetadata.unknown(folder.of(GROUP).of("A").channel()));
    Files.delete(file);
    Files.createDirectory(file);
    assertThat(folder.of(GROUP).unread()).contains("is not a file");
  }

  @Test
  void problemsAndCellsHaveLimits() {
    GroupMetadata many = parsed("name,low\n" + "A,x\n".repeat(5000));
    assertThat(many.problems()).hasSize(FileProblems.MOST + 1);
    GroupMetadata quotes = parsed("name,low\n" + "\"A,x\n".repeat(50_000));
    assertThat(quotes.problems()).hasSizeLessThanOrEqualTo(FileProblems.MOST + 1);
    GroupMetadata wide = parsed("name,unit" + ",x".repeat(1_000_000) + "\nA,mA\n");
    assertThat(wide.of("A").unit()).isEqualTo("mA");
    GroupMetadata longCell = parsed("name,unit\nA,\"" + "m".repeat(1_000_000) + "\"\nB,V\n");
    assertThat(longCell.of("B").unit()).isEqualTo("V");
    assertThat(longCell.problems()).hasSize(1).first().asString().contains("line 2");
  }

  @Test
  void aChangedFileIsReadAgain() throws IOException {
    assertThat(folder.of(GROUP).channels()).isEmpty();
    Files.writeString(file, "name,unit\nA,mA\n");
    assertThat(folder.of(GROUP).of("A").unit()).isEqualTo("mA");
    FileTime time = Files.getLastModifiedTime(file);
    Files.writeString(file, "name,unit\nA,kA\n");
    Files.setLastModifiedTime(file, time);
    assertThat(folder.of(GROUP).of("A").unit()).as("the same second").isEqualTo("kA");
    now = now.plusSeconds(60);
    GroupMetadata settled = folder.of(GROUP);
    assertThat(folder.of(GROUP)).isSameAs(settled);
    Files.writeString(file, "name,unit\nA,muA\n");
    assertThat(folder.of(GROUP).of("A").unit()).isEqualTo("muA");
    assertThat(folder.groups()).containsExactly(GROUP);
    Files.delete(file);
    assertThat(folder.of(GROUP).channels()).isEmpty();
  }

  @Test
  void whatIsWrittenIsReadAgain() throws IOException {
    GroupMetadata group =
        parsed(HEADER + "A,mA,3,-0.1,1e300,,,5,,a|b,\"x, \"\"y\"\"\",C|D\nB,,,,,,,,,,,\n");
    ChannelsWriter.write(file, group.channels().values());
    GroupMetadata again = folder.of(GROUP);
    assertThat(again.problems()).isEmpty();
    assertThat(again.channels()).isEqualTo(group.channels());
  }

  /** Random bytes made of what files consist of: every input gives a result, and no exception. */
  @Test
  void anyInputGivesAnAnswer() throws Exception {
    String[] parts = {
      ",",
      ",",
      "\n",
      "\n",
      "\r\n",
      "\"",
      "\"\"",
      "|",
      "A",
      "B",
      "1.5",
      "-",
      " until ",
      "2019-04-01",
      "name",
      "unit",
      "\u0000",
      "\ufeff",
      "電",
      " ",
      "\t",
      "1e9",
      "name,unit,former\n",
      "\r"
    };
    Seeds.each(
        "MetadataFolderTest",
        3000,
        seed -> {
          Random random = new Random(seed);
          StringBuilder text = new StringBuilder(random.nextBoolean() ? HEADER : "");
          for (int i = random.nextInt(60); i > 0; i--) {
            text.append(parts[random.nextInt(parts.length)]);
          }
          byte[] bytes = text.toString().getBytes(StandardCharsets.UTF_8);
          for (int i = random.nextInt(3); i > 0 && bytes.length > 0; i--) {
            bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
          }
          GroupMetadata group = ChannelsParser.parse(GROUP, file, TOKYO, bytes);
          int lines = 1;
          for (byte each : bytes) {
            lines += each == '\n' || each == '\r' ? 1 : 0;
          }
          for (String problem : group.problems()) {
            assertThat(problem).startsWith(file + ": line ");
            String number = problem.substring((file + ": line ").length()).split(":")[0];
            assertThat(Integer.parseInt(number)).isBetween(1, lines);
          }
          group.channels().forEach((name, channel) -> assertThat(name).isNotBlank());
        });
  }
}
