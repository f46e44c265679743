package org.kblake.server.internal.appliance.form;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.kblake.core.columns.EventColumns;
import org.kblake.core.model.EventState;
import org.kblake.core.model.ValueType;
import org.kblake.server.internal.appliance.sample.AnsweredSample;
import org.kblake.server.internal.appliance.sample.RowCopy;

/** Samples of the JSON archive protocol. */
final class ArchiveJsonFormTest {

  private static String json(AnsweredSample sample) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ArchiveJsonForm form = new ArchiveJsonForm(out, true);
    form.begin(new ChannelHeader("A", Map.of(), () -> null, 1), sample);
    form.sample(sample);
    form.end(null);
    return out.toString(StandardCharsets.UTF_8);
  }

  /** A channel that has numbers now was a list, or a text, before. */
  @Test
  void valuesOfAnotherTypeHaveNoExtremes() throws IOException {
    EventColumns list = RowCopy.numbers(2);
    list.values[0] = Double.doubleToRawLongBits(1.5);
    list.values[1] = Double.doubleToRawLongBits(2.5);
    AnsweredSample sample = new AnsweredSample();
    sample.set(1, list, 0);
    assertThat(json(sample)).contains("\"type\":\"double\",\"value\":[1.5,2.5]}");

    EventColumns text = new EventColumns(ValueType.STRING, false, 1);
    text.count = 1;
    text.state[0] = EventState.VALUE_CODE;
    text.ensureText(2);
    text.text[0] = 'O';
    text.text[1] = 'K';
    text.textStarts[1] = 2;
    sample.set(1, text, 0);
    assertThat(json(sample)).contains("\"type\":\"string\",\"value\":[\"OK\"]}");
  }

  @Test
  void enumsAmongNumbersAreNumbers() throws IOException {
    EventColumns state = new EventColumns(ValueType.ENUM, false, 1);
    state.count = 1;
    state.state[0] = EventState.VALUE_CODE;
    state.values[0] = 3;
    AnsweredSample sample = new AnsweredSample();
    sample.set(1, state, 0);
    assertThat(json(sample))
        .contains("\"type\":\"numeric\"", "\"type\":\"minMaxDouble\"", "\"minimum\":3.0");
  }
}
