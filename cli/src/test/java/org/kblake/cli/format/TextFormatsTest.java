package org.kblake.cli.format;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.apache.arrow.vector.BaseIntVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.Float4Vector;
import org.apache.arrow.vector.Float8Vector;
import org.apache.arrow.vector.IntVector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.complex.DenseUnionVector;
import org.apache.arrow.vector.complex.ListVector;
import org.apache.arrow.vector.types.UnionMode;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.junit.jupiter.api.Test;

class TextFormatsTest {

  private static final long START = TestAnswer.START_NANOS;

  /** The three states, special numbers, alarms. */
  private static TestAnswer doubles() {
    TestAnswer answer = TestAnswer.of(TestAnswer.FLOAT64, "BM_DCCT:HCUR", "A,\"B\"");
    Float8Vector values = (Float8Vector) answer.root.getVector("value");
    answer.row(0, START, 0, 1, 0, 0);
    answer.row(1, START + 5, 1, 2, 0, 0);
    values.setSafe(1, 1.5);
    answer.row(2, START + 1_000_000_000L, 0, 2, 1, 4);
    values.setSafe(2, -0.0);
    answer.row(3, START + 2_000_000_000L, 0, 2, 3, 65_535);
    values.setSafe(3, Double.NaN);
    answer.row(4, START + 3_000_000_000L, 0, 2, 0, 0);
    values.setSafe(4, Double.NEGATIVE_INFINITY);
    answer.row(5, START + 4_000_000_000L, 0, 0, 3, 9);
    answer.rows(6);
    return answer;
  }

  @Test
  void writesCsv() throws Exception {
    try (TestAnswer answer = doubles()) {
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
  }

  @Test
  void writesTsvWithTimesAsNanoseconds() throws Exception {
    try (TestAnswer answer = doubles()) {
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
  }

  @Test
  void writesJsonAsOneArrayWithAnObjectALine() throws Exception {
    try (TestAnswer answer = doubles()) {
      answer.rows(4);
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
  }

  @Test
  void writesNdjsonWithoutBracketsAndCommas() throws Exception {
    try (TestAnswer answer = doubles()) {
      answer.rows(2);
      assertThat(answer.text(OutputFormat.NDJSON, TimeStyle.EPOCH_NS))
          .isEqualTo(
              """
              {"time":1647281880270000000,"channel":"BM_DCCT:HCUR",\
              "state":"connected","severity":0,"status":0,"value":null}
              {"time":1647281880270000005,"channel":"A,\\"B\\"",\
              "state":"value","severity":0,"status":0,"value":1.5}
              """);
    }
  }

  @Test
  void writesOnlyTheHeaderWhereThereIsNoEvent() throws Exception {
    try (TestAnswer answer = TestAnswer.of(TestAnswer.FLOAT64, "A")) {
      answer.rows(0);
      assertThat(answer.text(OutputFormat.CSV))
          .isEqualTo("time,channel,state,severity,status,value\n");
      assertThat(answer.text(OutputFormat.JSON)).isEqualTo("[\n]\n");
      assertThat(answer.text(OutputFormat.NDJSON)).isEmpty();
    }
  }

  @Test
  void joinsBatchesWithoutASeam() throws Exception {
    try (TestAnswer answer = doubles()) {
      byte[] json = answer.bytes(OutputFormat.JSON, TimeStyle.ISO, true, 3);
      assertThat(new ObjectMapper().readTree(json)).hasSize(18);
      String csv = new String(answer.bytes(OutputFormat.CSV, TimeStyle.ISO, true, 3), UTF_8);
      assertThat(csv.lines()).hasSize(1 + 18);
      assertThat(csv.lines().filter(line -> line.startsWith("time"))).hasSize(1);
    }
  }

  @Test
  void writesGroupBehindChannelAndStrayBeforeValue() throws Exception {
    try (TestAnswer answer =
        TestAnswer.of(
            TestAnswer.value(TestAnswer.INT32),
            List.of("A", "B"),
            List.of("VA/CCG", "RF/A"),
            true)) {
      IntVector values = (IntVector) answer.root.getVector("value");
      answer.row(0, START, 1, 2, 0, 0).origin(0, 1, false);
      values.setSafe(0, Integer.MIN_VALUE);
      answer.row(1, START, 0, 2, 0, 0).origin(1, 0, true);
      values.setSafe(1, 7);
      answer.rows(2);

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
  }

  @Test
  void writesUnsignedAndSignedIntegersAsWhatTheyAre() throws Exception {
    assertThat(integer(TestAnswer.UINT8, 255)).isEqualTo("255");
    assertThat(integer(TestAnswer.UINT16, 65_535)).isEqualTo("65535");
    assertThat(integer(TestAnswer.INT16, -32_768)).isEqualTo("-32768");
    assertThat(integer(TestAnswer.INT32, -1)).isEqualTo("-1");
    assertThat(integer(TestAnswer.INT32, 0)).isEqualTo("0");
  }

  private static String integer(ArrowType type, int value) throws Exception {
    try (TestAnswer answer = TestAnswer.of(type, "A")) {
      answer.row(0, START, 0, 2, 0, 0);
      ((BaseIntVector) answer.root.getVector("value")).setWithPossibleTruncate(0, value);
      answer.rows(1);
      String csv = answer.text(OutputFormat.CSV);
      return csv.substring(csv.lastIndexOf(',') + 1).strip();
    }
  }

  @Test
  void writesFloatsAsFloats() throws Exception {
    try (TestAnswer answer = TestAnswer.of(TestAnswer.FLOAT32, "A")) {
      answer.row(0, START, 0, 2, 0, 0);
      ((Float4Vector) answer.root.getVector("value")).setSafe(0, 0.1f);
      answer.rows(1);
      assertThat(answer.text(OutputFormat.CSV)).endsWith(",0.1\n");
    }
  }

  @Test
  void writesWaveformsAsJsonArraysInTheirCells() throws Exception {
    Field value = TestAnswer.list("value", TestAnswer.FLOAT32);
    try (TestAnswer answer = TestAnswer.of(value, List.of("A"), List.of(), false)) {
      ListVector lists = (ListVector) answer.root.getVector("value");
      Float4Vector elements = (Float4Vector) lists.getDataVector();
      float[] numbers = {0, -1.25f, Float.NaN, Float.POSITIVE_INFINITY};
      lists.startNewValue(0);
      for (int i = 0; i < numbers.length; i++) {
        elements.setSafe(i, numbers[i]);
      }
      lists.endValue(0, numbers.length);
      lists.setNull(1);
      elements.setValueCount(numbers.length);
      answer.row(0, START, 0, 2, 0, 0);
      answer.row(1, START, 0, 0, 0, 0);
      answer.rows(2);

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
  }

  @Test
  void writesEachValueOfAUnionByItsOwnType() throws Exception {
    Field value =
        new Field(
            "value",
            FieldType.nullable(new ArrowType.Union(UnionMode.Dense, new int[] {0, 1, 2})),
            List.of(
                Field.nullable("double", TestAnswer.FLOAT64),
                Field.nullable("string", TestAnswer.UTF8),
                TestAnswer.list("string[]", TestAnswer.UTF8)));
    try (TestAnswer answer = TestAnswer.of(value, List.of("A"), List.of(), false)) {
      fillUnion((DenseUnionVector) answer.root.getVector("value"));
      for (int row = 0; row < 4; row++) {
        answer.row(row, START, 0, row == 1 ? 1 : 2, 0, 0);
      }
      answer.rows(4);

      assertThat(answer.text(OutputFormat.CSV, TimeStyle.EPOCH_NS))
          .endsWith(
              """
              1647281880270000000,A,value,0,0,2.5
              1647281880270000000,A,connected,0,0,
              1647281880270000000,A,value,0,0,Beam On
              1647281880270000000,A,value,0,0,"[""a\\\\b"",""c""]"
              """);
      // What JSON escaped is escaped again by the cell: two layers, each undone by its own reader
      assertThat(answer.text(OutputFormat.TSV)).endsWith("\t[\"a\\\\\\\\b\",\"c\"]\n");
      assertThat(answer.text(OutputFormat.NDJSON)).endsWith(":[\"a\\\\b\",\"c\"]}\n");
    }
  }

  private static void fillUnion(DenseUnionVector union) {
    byte[] typeIds = {0, 0, 1, 2};
    int[] offsets = {0, 1, 0, 0};
    Float8Vector doubles = (Float8Vector) union.getVectorByType((byte) 0);
    VarCharVector texts = (VarCharVector) union.getVectorByType((byte) 1);
    ListVector lists = (ListVector) union.getVectorByType((byte) 2);
    doubles.setSafe(0, 2.5);
    doubles.setNull(1);
    doubles.setValueCount(2);
    texts.setSafe(0, "Beam On".getBytes(UTF_8));
    texts.setValueCount(1);
    VarCharVector elements = (VarCharVector) lists.getDataVector();
    lists.startNewValue(0);
    elements.setSafe(0, "a\\b".getBytes(UTF_8));
    elements.setSafe(1, "c".getBytes(UTF_8));
    lists.endValue(0, 2);
    elements.setValueCount(2);
    lists.setValueCount(1);
    for (int row = 0; row < 4; row++) {
      union.getTypeBuffer().setByte(row, typeIds[row]);
      union.getOffsetBuffer().setInt(row * 4L, offsets[row]);
    }
    union.setValueCount(4);
  }

  @Test
  void quotesTextsSoThatAParserOfRfc4180GivesThemBack() throws Exception {
    List<String> texts = texts();
    try (TestAnswer answer = strings(texts)) {
      List<List<String>> records = Rfc4180.parse(answer.text(OutputFormat.CSV));
      assertThat(records.get(0)).endsWith("status", "value");
      assertThat(records.stream().skip(1).map(cells -> cells.get(5))).isEqualTo(texts);
    }
  }

  @Test
  void escapesTextsInTsvSoThatEachRowStaysALine() throws Exception {
    List<String> texts = texts();
    try (TestAnswer answer = strings(texts)) {
      String[] lines = answer.text(OutputFormat.TSV).split("\n");
      assertThat(lines).hasSize(1 + texts.size());
      for (int i = 0; i < texts.size(); i++) {
        String cell = lines[i + 1].split("\t", -1)[5];
        assertThat(unescaped(cell)).isEqualTo(texts.get(i));
      }
    }
  }

  @Test
  void escapesTextsInJsonSoThatAStrictParserGivesThemBack() throws Exception {
    List<String> texts = texts();
    try (TestAnswer answer = strings(texts)) {
      JsonNode rows = new ObjectMapper().readTree(answer.text(OutputFormat.JSON));
      for (int i = 0; i < texts.size(); i++) {
        assertThat(rows.get(i).get("value").textValue()).isEqualTo(texts.get(i));
      }
    }
  }

  /** An empty text is a value, and so differs from no value. */
  @Test
  void quotesTheEmptyTextInCsv() throws Exception {
    try (TestAnswer answer = strings(List.of(""))) {
      assertThat(answer.text(OutputFormat.CSV)).endsWith(",value,0,0,\"\"\n");
    }
  }

  private static TestAnswer strings(List<String> texts) {
    TestAnswer answer = TestAnswer.of(TestAnswer.UTF8, "A");
    FieldVector values = answer.root.getVector("value");
    for (int row = 0; row < texts.size(); row++) {
      answer.row(row, START + row, 0, 2, 0, 0);
      ((VarCharVector) values).setSafe(row, texts.get(row).getBytes(UTF_8));
    }
    answer.rows(texts.size());
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
