package org.kblake.server.internal.appliance.request;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.kblake.server.internal.appliance.request.RequestedOperator.Kind;
import org.kblake.server.internal.http.HttpStatusException;

/** The parameter pv, the query and the body of a request. */
final class RequestedChannelTest {

  private static RequestedChannel parse(String text) {
    return RequestedChannel.parse(text, List.of("a(b)", "c,d", "[e]")::contains);
  }

  @Test
  void anOperatorHasANumberOrItsDefault() {
    assertThat(parse("mean_60(A:B.VAL)"))
        .isEqualTo(new RequestedChannel("A:B.VAL", new RequestedOperator(Kind.MEAN, true, 60)));
    assertThat(parse("lastSample(A)").operator())
        .isEqualTo(new RequestedOperator(Kind.LAST, false, 900));
    assertThat(parse("lastFill(A)").operator())
        .isEqualTo(new RequestedOperator(Kind.LAST, true, 900));
    assertThat(parse("optimized(A)").operator())
        .isEqualTo(new RequestedOperator(Kind.OPTIMIZED, true, 1000));
    assertThat(parse("maxSample_5(A)").operator())
        .isEqualTo(new RequestedOperator(Kind.MAX, false, 5));
  }

  @Test
  void aNameIsTriedBeforeTheNameWithoutItsField() {
    assertThat(parse("A.VAL")).isEqualTo(new RequestedChannel("A.VAL", RequestedOperator.NONE));
    assertThat(parse("A.VAL").names()).containsExactly("A.VAL", "A");
    assertThat(parse("mean(A.VAL)").names()).containsExactly("A.VAL", "A");
    assertThat(parse("A.HIHI").names()).containsExactly("A.HIHI");
  }

  @Test
  void aRecordedNameIsNoOperatorAndNoList() throws IOException {
    assertThat(parse("a(b)")).isEqualTo(new RequestedChannel("a(b)", RequestedOperator.NONE));
    assertThat(parse("lastFill(a(b))").name()).isEqualTo("a(b)");
    assertThat(parse("a(c)").name()).isEqualTo("c");
    assertThat(read("c,d\na,b", null)).containsExactly("c,d", "a", "b");
    assertThat(read("[e]\na", null)).containsExactly("[e]", "a");
  }

  @Test
  void anUnknownOperatorIsIgnored() {
    assertThat(parse("last(A)")).isEqualTo(new RequestedChannel("A", RequestedOperator.NONE));
    assertThat(parse("what_x(A)")).isEqualTo(new RequestedChannel("A", RequestedOperator.NONE));
  }

  @Test
  void wrongOperatorsAreRefused() {
    for (String text :
        List.of(
            "mean_60(A",
            "mean(A)x",
            "mean(A))",
            "(",
            "mean(min(A))",
            "mean_0(A)",
            "mean_-1(A)",
            "mean_(A)",
            "mean_x(A)",
            "mean_1_2(A)",
            "mean_2147483648(A)",
            "optimized_100001(A)",
            "mean()",
            "mean(.VAL)",
            "",
            ".VAL",
            "ignoreflyers(A)",
            "flyers_60(A)",
            "linear(A)",
            "loess(A)",
            "errorbar(A)",
            "caplotbinning_5(A)",
            "deadBand_1(A)")) {
      assertThatThrownBy(() -> parse(text))
          .as(text)
          .isInstanceOfSatisfying(
              HttpStatusException.class, e -> assertThat(e.status()).isEqualTo(400))
          .hasMessageStartingWith("wrong parameter pv: ");
    }
    assertThatThrownBy(() -> parse("deadBand_1(A)")).hasMessageContaining("deadBand");
  }

  @Test
  void aQueryIsPercentEncodedUtf8() {
    QueryParameters parameters =
        QueryParameters.parse("pv=a%2Fb%25+%E3%81%82&&x&pv=..%2F..&from=\u3042");
    assertThat(parameters.all("pv")).containsExactly("a/b% \u3042", "../..");
    assertThat(parameters.optional("x")).isNull();
    assertThat(parameters.required("from")).isEqualTo("\u3042");
    for (String wrong : List.of("pv=%FF", "pv=%C3%28", "pv=%", "pv=%2", "pv=%zz", "%80=1")) {
      assertThatThrownBy(() -> QueryParameters.parse(wrong))
          .as(wrong)
          .isInstanceOf(HttpStatusException.class);
    }
    assertThatThrownBy(() -> parameters.optional("pv"))
        .hasMessage("wrong parameter pv: it is given 2 times");
  }

  private static List<String> read(String body, @Nullable String type) throws IOException {
    return RequestedNames.read(
        new ByteArrayInputStream(body.getBytes(StandardCharsets.ISO_8859_1)),
        type,
        List.of("a(b)", "c,d", "[e]")::contains);
  }

  @Test
  void aBodyHasNames() throws IOException {
    assertThat(read("[\"a,b\", {\"pv\": \"c\"}]", null)).containsExactly("a,b", "c");
    assertThat(read("a\r\n\n b ,c", "text/plain")).containsExactly("a", "b", "c");
    assertThat(read("pv=a%2Fb,c", "application/x-www-form-urlencoded")).containsExactly("a/b", "c");
    for (String wrong : List.of("", " \n", "[]", "[1]", "[\"a\"", "[[\"a\"]]", "\u00ff")) {
      assertThatThrownBy(() -> read(wrong, "application/json"))
          .as(wrong)
          .isInstanceOfSatisfying(
              HttpStatusException.class, e -> assertThat(e.status()).isEqualTo(400));
    }
    assertThatThrownBy(() -> read("a".repeat(RequestedNames.MAX_BYTES + 1), null))
        .isInstanceOfSatisfying(
            HttpStatusException.class, e -> assertThat(e.status()).isEqualTo(413));
  }
}
