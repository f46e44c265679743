package org.kblake.test.page;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * How many frames of a moving chart of 20 traces and 1,920 bins the browser shows in time, by its
 * own trace. The file {@code target/frames.txt} has the share. It depends on the machine: without a
 * graphics processor the browser draws with the cores that the server and other tests use, too. So
 * the test demands only that the chart moves at all.
 */
@Tag("browser")
final class FramesTest {

  static final String CHANNELS =
      IntStream.range(0, 20)
          .mapToObj(i -> "VALCCG:D%02d_L%02dA:PRES".formatted(i % 10 + 1, i / 10 + 1))
          .collect(Collectors.joining(","));

  /** A frame at 60 Hz, with what its begin may vary. */
  private static final double FRAME_MILLIS = 17.2;

  @TempDir private static Path directory;

  @Test
  void framesOfAMovementAreMeasured() throws IOException, InterruptedException {
    try (ServedArchiveFixture served = ServedArchiveFixture.day(directory.resolve("archive"));
        Browser browser = Browser.start("en", true).size(2304, 1080)) {
      browser.openChart(
          served.address() + "/?c=" + CHANNELS + "&from=2024-05-20T08:00&to=2024-05-20T16:00");
      assertThat(browser.number("return document.querySelector('.u-over').clientWidth"))
          .isGreaterThanOrEqualTo(1900);
      assertThat(browser.elements(".card")).hasSize(20);
      Thread.sleep(2000);
      browser
          .driver()
          .executeAsyncScript(
              """
              const done = arguments[0], over = document.querySelector('.u-over');
              const r = over.getBoundingClientRect();
              let x = r.left + r.width / 2, n = 0;
              const send = (type) => over.dispatchEvent(new PointerEvent(type, { bubbles: true, pointerId: 1,
                button: 0, buttons: 1, clientX: x, clientY: r.top + 200, isPrimary: true }));
              Element.prototype.setPointerCapture = () => {};
              send('pointerdown');
              performance.mark('pan begins');
              const end = performance.now() + 15000;
              const step = () => {
                if (++n > 300 || performance.now() > end) {
                  performance.mark('pan ends');
                  send('pointerup');
                  return done(true);
                }
                x += n < 100 ? 6 : n < 200 ? -6 : 6;
                send('pointermove');
                requestAnimationFrame(step);
              };
              requestAnimationFrame(step);
              """);
      List<Double> frames = FrameTrace.intervals(browser.driver(), "pan begins", "pan ends");
      assertThat(frames).as("frames in which the chart moved").hasSizeGreaterThan(10);
      double share =
          (double) frames.stream().filter(each -> each <= FRAME_MILLIS).count() / frames.size();
      Path report = Path.of("target", "frames.txt");
      Files.writeString(
          report,
          "%.1f %% of %d frames within %.1f ms, the longest %.1f ms%n"
              .formatted(
                  100 * share,
                  frames.size(),
                  FRAME_MILLIS,
                  frames.stream().mapToDouble(each -> each).max().orElseThrow()));
      System.out.print("Frames of a movement of 20 traces: " + Files.readString(report));
    }
  }
}
