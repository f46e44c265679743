package org.kblake.cli.kblogrd.request;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.AbstractList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.ToLongFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.kblake.cli.error.UsageException;
import org.kblake.core.model.Group;

class ArgumentsTest {

  private static final ZoneId TOKYO = ZoneId.of("Asia/Tokyo");
  private static final Instant NOW = Instant.parse("2022-03-15T00:00:00.5Z");
  private static final long SECOND = 1_000_000_000L;

  @Test
  void optionsComeInAnyOrderAndTheLastOfSeveralCounts() {
    KblogrdRequest expected = request("-r", "A", "-f", "kaleida", "VA/CCG");
    assertThat(expected.group()).isEqualTo(new Group("VA", "CCG"));
    assertThat(expected.format()).isEqualTo(FormatName.KALEIDA);
    assertThat(expected.times()).isEqualTo(new KblogrdRequest.NewestPair());
    assertThat(request("VA/CCG", "-f", "kaleida", "-r", "A")).isEqualTo(expected);
    assertThat(request("-f", "sad", "-fkaleida", "-rB", "-rA", "--", "VA/CCG")).isEqualTo(expected);
  }

  @Test
  void dIsAnAliasOfT() {
    assertThat(request("-d", "20220315-20220316", "VA/CCG"))
        .isEqualTo(request("-t", "20220315-20220316", "VA/CCG"));
  }

  /** Parts of both times may be omitted. END includes its whole second. */
  @ParameterizedTest
  @CsvSource({
    "20220315-20220316, 2022-03-14T15:00:00Z, 2022-03-15T15:00:01Z",
    "2022031503-20220315031851, 2022-03-14T18:00:00Z, 2022-03-14T18:18:52Z",
    "202203150318-2022031504, 2022-03-14T18:18:00Z, 2022-03-14T19:00:01Z",
    "20220315031851-20220315031851, 2022-03-14T18:18:51Z, 2022-03-14T18:18:52Z",
    "20220315-, 2022-03-14T15:00:00Z, 2022-03-15T00:00:00.500000001Z",
    "20230101-, 2022-12-31T15:00:00Z, 2022-12-31T15:00:00.000000001Z",
  })
  void rangesEndWithTheSecondOfEnd(String times, String from, String to) {
    assertThat(request("-t", times, "VA/CCG").times())
        .isEqualTo(new KblogrdRequest.Range(nanos(from), nanos(to)));
  }

  @Test
  void aStartAloneIsAnInstant() {
    assertThat(request("-t", "20220315031851", "VA/CCG").times())
        .isEqualTo(new KblogrdRequest.Instant(nanos("2022-03-14T18:18:51Z")));
  }

  @Test
  void dnMakesAGrid() {
    long start = nanos("2022-03-14T15:00:00Z");
    assertThat(request("-t", "20220315-2022031501d60", "VA/CCG").times())
        .isEqualTo(
            new KblogrdRequest.Grid(
                start, start + 3600 * SECOND, 60 * SECOND, start + 3601 * SECOND));
    assertThat(request("-t", "20220315d60", "VA/CCG").times())
        .isEqualTo(new KblogrdRequest.Grid(start, start, 60 * SECOND, start + SECOND));
    assertThat(request("-t", "20220315-d7", "VA/CCG").times())
        .isEqualTo(new KblogrdRequest.Grid(start, nanos(NOW), 7 * SECOND, nanos(NOW) + 1));
  }

  /** On 2026-10-25 clocks in Berlin show 02:00:00 to 02:59:59 twice, an hour apart. */
  @Test
  void timeShownTwiceIsTheFirstInstantForStartAndTheLastForEnd() {
    ZoneId berlin = ZoneId.of("Europe/Berlin");
    long first = nanos("2026-10-25T00:30:00Z");
    long last = nanos("2026-10-25T01:30:00Z");
    assertThat(parse(berlin, "20261025023000-20261025023000"))
        .isEqualTo(new KblogrdRequest.Range(first, last + SECOND));
    assertThat(parse(berlin, "20261025023000")).isEqualTo(new KblogrdRequest.Instant(first));
    assertThat(parse(berlin, "202610250230-202610250230d1800"))
        .isEqualTo(new KblogrdRequest.Grid(first, last, 1800 * SECOND, last + SECOND));
  }

  @Test
  void timeNeverShownIsTheInstantAtWhichClocksWereSetForward() {
    assertThat(parse(ZoneId.of("Europe/Berlin"), "20260329023000"))
        .isEqualTo(new KblogrdRequest.Instant(nanos("2026-03-29T01:00:00Z")));
  }

  /** 64-bit nanoseconds cover 1677 to 2262, and no events are outside of this range. */
  @Test
  void farYearsAreCut() {
    KblogrdRequest.Range range = (KblogrdRequest.Range) parse(TOKYO, "00000101-99991231235959");
    assertThat(range.fromNanos()).isNegative().isLessThan(nanos("1678-01-01T00:00:00Z"));
    assertThat(range.toNanos()).isGreaterThan(nanos("2262-01-01T00:00:00Z"));
  }

  @Test
  void recordsAreNamesOrRegularExpressionsBetweenCommas() {
    List<RecordArgument> records = RecordArgument.parse("A:B,^A.*C$-,A:B");
    assertThat(records).extracting(RecordArgument::text).containsExactly("A:B", "^A.*C$-", "A:B");
    assertThat(records)
        .extracting(record -> record.among(List.of("A:B", "AxC", "A:B:C")))
        .containsExactly(List.of("A:B"), List.of("AxC", "A:B:C"), List.of("A:B"));
  }

  @Test
  void fiveThousandRecordsAreAccepted() {
    String list = "VA_CCG:D01_L01:PRES,".repeat(4999) + "VA_CCG:D01_L02:PRES";
    assertThat(RecordArgument.parse(list)).hasSize(5000);
  }

  @ParameterizedTest
  @ValueSource(strings = {"(.*a){12}b-", "(.*)*(.*)*(.*)*[^a]x-", "((((((a*)*)*)*)*)*)*b-"})
  void anExpressionThatExplodesIsRefused(String text) {
    RecordArgument record = RecordArgument.parse(text).get(0);
    String name = "a".repeat(60) + "!";
    assertThatThrownBy(() -> record.among(List.of(name)))
        .isInstanceOf(UsageException.class)
        .hasMessageStartingWith("-r has a regular expression that takes too long: " + text);
  }

  /**
   * The expression repeats nothing 64,000,000 times and reads no character. This takes some
   * seconds. The time limit may pass before the search begins.
   */
  @Test
  void anExpressionThatCountsForEverIsRefused() {
    RecordArgument record = RecordArgument.parse("((((){400}){400}){400})X-").get(0);
    assertThatThrownBy(() -> record.among(List.of("A"), 1, RecordArgument::processorMillis))
        .isInstanceOf(UsageException.class)
        .hasMessageContaining("takes too long")
        .hasMessageContaining("stopped at record A");
  }

  /** Another program uses the processor, or the machine was suspended. */
  @Test
  void anExpressionMayWaitForAProcessor() {
    RecordArgument record = RecordArgument.parse("D[0-9]{2}-").get(0);
    CountDownLatch stalled = new CountDownLatch(1);
    List<String> names =
        new AbstractList<>() {
          @Override
          public String get(int index) {
            return "D01";
          }

          @Override
          public int size() {
            return 1;
          }

          @Override
          public Iterator<String> iterator() {
            try {
              stalled.await();
            } catch (InterruptedException e) {
              throw new AssertionError(e);
            }
            return super.iterator();
          }
        };
    AtomicInteger limits = new AtomicInteger();
    ToLongFunction<Thread> time =
        thread -> {
          if (limits.incrementAndGet() == 3) {
            stalled.countDown();
          }
          return 0;
        };
    assertThat(record.among(names, 1, time)).containsExactly("D01");
  }

  @Test
  void anExpressionMayCount() {
    RecordArgument record = RecordArgument.parse("D[0-9]{2}_-").get(0);
    assertThat(record.among(List.of("CCG:D01_L01", "CCG:D1_L01", "CCG:D11_L02")))
        .containsExactly("CCG:D01_L01", "CCG:D11_L02");
  }

  @Test
  void anExpressionThatNestsTooDeeplyIsRefused() {
    String text = "(".repeat(100_000) + "a" + ")".repeat(100_000) + "-";
    assertThatThrownBy(() -> RecordArgument.parse(text))
        .isInstanceOf(UsageException.class)
        .message()
        .containsAnyOf("nests too deeply", "Stack overflow")
        .hasSizeLessThan(500);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "-t 2022 VA/CCG | '2022' is not a time",
        "-t 202203150 VA/CCG | '202203150' is not a time",
        "-t 202203150318510 VA/CCG | is not a time",
        "-t 2022-03-15 VA/CCG | '2022' is not a time",
        "-t 20220230 VA/CCG | 20220230 is not in the calendar",
        "-t 2022031524 VA/CCG | 2022031524 is not in the calendar",
        "-t 20220316-20220315 VA/CCG | ends before it starts",
        "-t -20220315 VA/CCG | '' is not a time",
        "-t 20220315-20220316d VA/CCG | N of dN is a whole number",
        "-t 20220315-20220316d0 VA/CCG | N of dN is a whole number",
        "-t 20220315-20220316d-5 VA/CCG | N of dN is a whole number",
        "-t 20220315-20220316d1.5 VA/CCG | N of dN is a whole number",
        "-t 20220315-20220316d9999999999 VA/CCG | N of dN is a whole number",
        "-t '' VA/CCG | '' is not a time",
        "-r '' VA/CCG | names no record",
        "-r A,,B VA/CCG | empty name at place 2",
        "-r A, VA/CCG | empty name at place 2",
        "-r - VA/CCG | empty regular expression",
        "-r (- VA/CCG | no regular expression before the last '-' in (-: Unclosed group",
        "-f xml VA/CCG | -f must be free, sad, kaleida or csv, found 'xml'",
        "-x VA/CCG | unknown option -x: kblogrd [-r",
        "--records A VA/CCG | unknown option --records",
        "-r | option -r has no value",
        "-f free | no group: kblogrd [-r",
        "VA/CCG BM/DCCT | expected one group, found VA/CCG BM/DCCT",
        "CCG | expected a group SYSTEM/GROUP, such as VA/CCG, found 'CCG'",
        "VA/ | expected a group SYSTEM/GROUP",
        "../etc | expected a group SYSTEM/GROUP",
      })
  void errorNamesTheWrongArgument(String line, String message) {
    String[] words = line.strip().split(" ");
    for (int i = 0; i < words.length; i++) {
      words[i] = words[i].equals("''") ? "" : words[i];
    }
    assertThatThrownBy(() -> request(words))
        .isInstanceOf(UsageException.class)
        .hasMessageContaining(message);
  }

  private static KblogrdRequest request(String... words) {
    return Arguments.parse(words).request(TOKYO, NOW);
  }

  private static KblogrdRequest.Times parse(ZoneId zone, String times) {
    return new TimesArgument(zone, NOW).parse(times);
  }

  private static long nanos(String instant) {
    return nanos(Instant.parse(instant));
  }

  private static long nanos(Instant instant) {
    return Duration.between(Instant.EPOCH, instant).toNanos();
  }
}
