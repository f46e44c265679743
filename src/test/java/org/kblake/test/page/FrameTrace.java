package org.kblake.test.page;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.logging.LogEntry;
import org.openqa.selenium.logging.LogType;

/** The frames that the browser showed, from its own trace. */
final class FrameTrace {

  /** The categories of the trace that have the frames and the marks of the page. */
  static final String CATEGORIES = "disabled-by-default-devtools.timeline.frame,blink.user_timing";

  private static final String FRAME = "PipelineReporter";

  /** A frame with what the page's scripts have drawn, in time for the screen. */
  private static final String PRESENTED = "STATE_PRESENTED_ALL";

  private FrameTrace() {}

  /**
   * Returns the milliseconds between the begins of successive frames that were shown. It can be
   * called once.
   *
   * @param from mark of the page's {@code performance.mark} from which on frames count
   * @param to mark until which frames count
   */
  static List<Double> intervals(ChromeDriver driver, String from, String to) throws IOException {
    ObjectMapper json = new ObjectMapper();
    List<JsonNode> events = new ArrayList<>();
    for (LogEntry entry : driver.manage().logs().get(LogType.PERFORMANCE)) {
      JsonNode message = json.readTree(entry.getMessage()).path("message");
      if (message.path("method").asText().equals("Tracing.dataCollected")) {
        events.add(message.path("params"));
      }
    }
    double begin = time(events, from);
    double end = time(events, to);
    int page =
        events.stream()
            .filter(each -> each.path("name").asText().equals(from))
            .mapToInt(each -> each.path("pid").asInt())
            .findFirst()
            .orElse(-1);
    double[] frames =
        events.stream()
            .filter(each -> each.path("name").asText().equals(FRAME))
            .filter(each -> each.path("pid").asInt() == page)
            .filter(each -> each.at("/args/frame_reporter/state").asText().equals(PRESENTED))
            .mapToDouble(each -> each.path("ts").asDouble() / 1000)
            .filter(each -> each >= begin && each <= end)
            .sorted()
            .toArray();
    List<Double> intervals = new ArrayList<>();
    for (int i = 1; i < frames.length; i++) {
      intervals.add(frames[i] - frames[i - 1]);
    }
    return intervals;
  }

  private static double time(List<JsonNode> events, String mark) {
    return events.stream()
        .filter(each -> each.path("name").asText().equals(mark))
        .mapToDouble(each -> each.path("ts").asDouble() / 1000)
        .findFirst()
        .orElse(Double.NaN);
  }
}
