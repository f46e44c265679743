package org.kblake.format.text;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.kblake.core.model.Channel;
import org.kblake.core.model.Group;
import org.kblake.core.model.ValueType;
import org.kblake.format.OutputFormat;
import org.kblake.format.TestAnswer;
import org.kblake.format.TestRows;
import org.kblake.format.time.TimeStyle;

class TextFormatsTest {

  private static final long START = TestAnswer.START_NANOS;

  /** Returns rows with the three states, special numbers and alarms. */
  private static TestRows doubles() {
    return doubles(6);
  }

  private static TestRows doubles(int rows) {
    double[] values = {0, 1.5, -0.0, Double.NaN, Double.NEGATIVE_INFINITY, 0};
    int[] states = {1, 2, 2, 2, 2, 0};
    int[] severities = {0, 0, 1, 3, 0, 3};
    int[] statuses = {0, 0, 4, 65_535, 0, 9};
    long[] nanos = {0, 5, 1_000_000_000L, 2_000_000_000L, 3_000_000_000L, 4_000_000_000L};
    TestRows answer = new TestRows();
    for (int row = 0; row < rows; row++) {
      answer.add(
          START + nanos[row],
          row == 1 ? "A,\"B\"" : "BM_DCCT:HCUR",
          states[row],
          severities[row],
          statuses[row],
          ValueType.DOUBLE,
          states[row] == 2 ? values[row] : null);
    }
    return answer;
  }

  @Test
  void writesCsv() throws Exception {
    TestRows answer = doubles();
    assertThat(answer.text(OutputFormat.CSV))
        .isEqualTo(
            """
            time,channel,state,severity,status,value
            2022-03-15T03:18:00.270000000+09:00,BM_DCCT:HCUR,connected,0,0,
            2022-03-15T03:18:00.270000005+09:00,"A,""B""\",value,0,0,1.5
            2022-03-15T03:18:01.270000000+09:00,BM_DCCT:HCUR,value,1,4,-0.0
            2022-03-15T03:18:02.270000000+09:00,BM_DCCT:HCUR,value,3,65535,NaN
            2022-03-15T03:18:03.270000000+09:00,BM_DCCT:HCUR,value,0,0,-Infinity
            2022-03-15T03:18:04.270000000+09:00,BM_DCCT:HCUR,disconnected,3,9,
            """);
  }

  @Test
  void writesTsvWithTimesAsNanoseconds() throws Exception {
    TestRows answer = doubles();
    assertThat(answer.text(OutputFormat.TSV, TimeStyle.EPOCH_NS))
        .isEqualTo(
            """
            time\tchannel\tstate\tseverity\tstatus\tvalue
            1647281880270000000\tBM_DCCT:HCUR\tconnected\t0\t0\t
            1647281880270000005\tA,"B"\tvalue\t0\t0\t1.5
            1647281881270000000\tBM_DCCT:HCUR\tvalue\t1\t4\t-0.0
            1647281882270000000\tBM_DCCT:HCUR\tvalue\t3\t65535\tNaN
            1647281883270000000\tBM_DCCT:HCUR\tvalue\t0\t0\t-Infinity
            1647281884270000000\tBM_DCCT:HCUR\tdisconnected\t3\t9\t
            """);
  }

  @Test
  void writesJsonAsOneArrayWithAnObjectPerLine() throws Exception {
    TestRows answer = doubles(4);
    assertThat(answer.text(OutputFormat.JSON))
        .isEqualTo(
            """
            [
            {"time":"2022-03-15T03:18:00.270000000+09:00","channel":"BM_DCCT:HCUR",\
            "state":"connected","severity":0,"status":0,"value":null},
            {"time":"2022-03-15T03:18:00.270000005+09:00","channel":"A,\\"B\\"",\
            "state":"value","severity":0,"status":0,"value":1.5},
            {"time":"2022-03-15T03:18:01.270000000+09:00","channel":"BM_DCCT:HCUR",\
            "state":"value","severity":1,"status":4,"value":-0.0},
            {"time":"2022-03-15T03:18:02.270000000+09:00","channel":"BM_DCCT:HCUR",\
            "state":"value","severity":3,"status":65535,"value":"NaN"}
            ]
            """);
  }

  @Test
  void writesNdjsonWithoutBracketsAndCommas() throws Exception {
    TestRows answer = doubles(2);
    assertThat(answer.text(OutputFormat.NDJSON, TimeStyle.EPOCH_NS))
        .isEqualTo(
            """
            {"time":1647281880270000000,"channel":"BM_DCCT:HCUR",\
            "state":"connected","severity":0,"status":0,"value":null}
            {"time":1647281880270000005,"channel":"A,\\"B\\"",\
            "state":"value","severity":0,"status":0,"value":1.5}
            """);
  }

  @Test
  void writesOnlyTheHeaderWithoutEvents() throws Exception {
    TestRows answer = new TestRows();
    assertThat(answer.text(OutputFormat.CSV))
        .isEqualTo("time,channel,state,severity,status,value\n");
    assertThat(answer.text(OutputFormat.JSON)).isEqualTo("[\n]\n");
    assertThat(answer.text(OutputFormat.NDJSON)).isEmpty();
  }

  @Test
  void batchesMakeOneAnswer() throws Exception {
    TestRows answer = doubles();
    String json = answer.text(OutputFormat.JSON, TimeStyle.ISO, 3);
    assertThat(new ObjectMapper().readTree(json)).hasSize(18);
    String csv = answer.text(OutputFormat.CSV, TimeStyle.ISO, 3);
    assertThat(csv.lines()).hasSize(1 + 18);
    assertThat(csv.lines().filter(line -> line.startsWith("time"))).hasSize(1);
  }

  @Test
  void writesGroupAfterChannelAndStrayBeforeValue() throws Exception {
    TestRows answer =
        new TestRows(true, true)
            .add(START, channel("RF/A", "B"), 2, 0, 0, false, ValueType.LONG, Integer.MIN_VALUE)
            .add(START, channel("VA/CCG", "A"), 2, 0, 0, true, ValueType.LONG, 7);
    assertThat(answer.text(OutputFormat.CSV, TimeStyle.EPOCH_NS))
        .isEqualTo(
            """
            time,channel,group,state,severity,status,stray,value
            1647281880270000000,B,RF/A,value,0,0,0,-2147483648
            1647281880270000000,A,VA/CCG,value,0,0,1,7
            """);
    assertThat(answer.text(OutputFormat.NDJSON, TimeStyle.EPOCH_NS))
        .contains("\"group\":\"VA/CCG\",\"state\":\"value\"")
        .contains("\"status\":0,\"stray\":true,\"value\":7}");
  }

  @Test
  void writesUnsignedAndSignedIntegers() throws Exception {
    assertThat(value(ValueType.CHAR, 255)).isEqualTo("255");
    assertThat(value(ValueType.ENUM, 65_535)).isEqualTo("65535");
    assertThat(value(ValueType.SHORT, -32_768)).isEqualTo("-32768");
    assertThat(value(ValueType.LONG, -1)).isEqualTo("-1");
    assertThat(value(ValueType.LONG, 0)).isEqualTo("0");
  }

  private static String value(ValueType type, Object value) throws Exception {
    String csv = new TestRows().add(START, "A", 2, 0, 0, type, value).text(OutputFormat.CSV);
    return csv.substring(csv.lastIndexOf(',') + 1).strip();
  }

  private static Channel channel(String group, String name) {
    return new Channel(Group.parse(group), name);
  }

  @Test
  void writesFloatsAsFloats() throws Exception {
    assertThat(value(ValueType.FLOAT, 0.1f)).isEqualTo("0.1");
  }

  @Test
  void writesWaveformsAsJsonArraysInTheirCells() throws Exception {
    List<Float> numbers = List.of(0f, -1.25f, Float.NaN, Float.POSITIVE_INFINITY);
    TestRows answer =
        new TestRows()
            .add(START, "A", 2, 0, 0, ValueType.FLOAT, numbers)
            .add(START, "A", 0, 0, 0, ValueType.FLOAT, null);
    assertThat(answer.text(OutputFormat.CSV))
        .endsWith(
            """
            value,0,0,"[0.0,-1.25,""NaN"",""Infinity""]"
            2022-03-15T03:18:00.270000000+09:00,A,disconnected,0,0,
            """);
    assertThat(answer.text(OutputFormat.TSV)).contains("\t[0.0,-1.25,\"NaN\",\"Infinity\"]\n");
    assertThat(answer.text(OutputFormat.NDJSON))
        .contains("\"value\":[0.0,-1.25,\"NaN\",\"Infinity\"]}");
  }

  @Test
  void writesEachValueByItsOwnTypeWhereTypesDiffer() throws Exception {
    TestRows answer =
        new TestRows()
            .add(START, "A", 2, 0, 0, ValueType.DOUBLE, 2.5)
            .add(START, "A", 1, 0, 0, ValueType.DOUBLE, null)
            .add(START, "A", 2, 0, 0, ValueType.LONG, 5)
            .add(START, "A", 2, 0, 0, ValueType.STRING, "Beam On")
            .add(START, "A", 2, 0, 0, ValueType.STRING, List.of("a\\b", "c"));
    assertThat(answer.text(OutputFormat.CSV, TimeStyle.EPOCH_NS))
        .endsWith(
            """
            1647281880270000000,A,value,0,0,2.5
            1647281880270000000,A,connected,0,0,
            1647281880270000000,A,value,0,0,5
            1647281880270000000,A,value,0,0,Beam On
            1647281880270000000,A,value,0,0,"[""a\\\\b"",""c""]"
            """);
    // The cell escapes the escapes of JSON again: each of two readers removes one layer
    assertThat(answer.text(OutputFormat.TSV)).endsWith("\t[\"a\\\\\\\\b\",\"c\"]\n");
    assertThat(answer.text(OutputFormat.NDJSON)).endsWith(":[\"a\\\\b\",\"c\"]}\n");
  }

  @Test
  void quotesTextsSoThatAParserOfRfc4180ReadsThem() throws Exception {
    List<String> texts = texts();
    TestRows answer = strings(texts);
    List<List<String>> records = Rfc4180.parse(answer.text(OutputFormat.CSV));
    assertThat(records.get(0)).endsWith("status", "value");
    assertThat(records.stream().skip(1).map(cells -> cells.get(5))).isEqualTo(texts);
  }

  @Test
  void escapesTextsInTsvSoThatEachRowStaysALine() throws Exception {
    List<String> texts = texts();
    TestRows answer = strings(texts);
    String[] lines = answer.text(OutputFormat.TSV).split("\n");
    assertThat(lines).hasSize(1 + texts.size());
    for (int i = 0; i < texts.size(); i++) {
      String cell = lines[i + 1].split("\t", -1)[5];
      assertThat(unescaped(cell)).isEqualTo(texts.get(i));
    }
  }

  @Test
  void escapesTextsInJsonSoThatAStrictParserReadsThem() throws Exception {
    List<String> texts = texts();
    TestRows answer = strings(texts);
    JsonNode rows = new ObjectMapper().readTree(answer.text(OutputFormat.JSON));
    for (int i = 0; i < texts.size(); i++) {
      assertThat(rows.get(i).get("value").textValue()).isEqualTo(texts.get(i));
    }
  }

  /** An empty text is a value, and must differ from a missing value. */
  @Test
  void quotesTheEmptyTextInCsv() throws Exception {
    TestRows answer = strings(List.of(""));
    assertThat(answer.text(OutputFormat.CSV)).endsWith(",value,0,0,\"\"\n");
  }

  private static TestRows strings(List<String> texts) {
    TestRows answer = new TestRows();
    for (int row = 0; row < texts.size(); row++) {
      answer.add(START + row, "A", 2, 0, 0, ValueType.STRING, texts.get(row));
    }
    return answer;
  }

  private static List<String> texts() {
    List<String> texts =
        new ArrayList<>(
            List.of("Beam On", "", "a,b", "\"", "a\"b\"", "line\nbreak", "cr\rlf\r\n", "\t", "\\"));
    texts.addAll(
        List.of("\u0001\u001f\u007f", "電流", " blank ", "\\n", "NaN", "=1+1", "\uD83D\uDE00"));
    long seed = 99;
    System.out.println("TextFormatsTest: seed=" + seed);
    SplittableRandom random = new SplittableRandom(seed);
    String alphabet = "ab,\"\n\r\t\\ é電";
    for (int i = 0; i < 2000; i++) {
      StringBuilder text = new StringBuilder();
      for (int length = random.nextInt(40); length > 0; length--) {
        text.append(alphabet.charAt(random.nextInt(alphabet.length())));
      }
      texts.add(text.toString());
    }
    return texts;
  }

  private static String unescaped(String cell) {
    StringBuilder text = new StringBuilder();
    int i = 0;
    while (i < cell.length()) {
      char c = cell.charAt(i++);
      if (c != '\\') {
        text.append(c);
        continue;
      }
      text.append(
          switch (cell.charAt(i++)) {
            case 't' -> '\t';
            case 'n' -> '\n';
            case 'r' -> '\r';
            case '\\' -> '\\';
            default -> throw new AssertionError(cell);
          });
    }
    return text.toString();
  }
}
