package org.kblake.test.page;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.logging.Level;
import org.jspecify.annotations.Nullable;
import org.openqa.selenium.By;
import org.openqa.selenium.Dimension;
import org.openqa.selenium.Keys;
import org.openqa.selenium.OutputType;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.interactions.Actions;
import org.openqa.selenium.logging.LogEntry;
import org.openqa.selenium.logging.LogType;
import org.openqa.selenium.logging.LoggingPreferences;
import org.openqa.selenium.support.ui.WebDriverWait;

/** Chromium without a window, and the trend page in it. */
final class Browser implements AutoCloseable {

  private static final Path CHROMIUM = Path.of("/usr/bin/chromium");
  private static final Path DRIVER = Path.of("/usr/bin/chromedriver");
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final ChromeDriver driver;
  private final Path downloads;

  private Browser(ChromeDriver driver, Path downloads) {
    this.driver = driver;
    this.downloads = downloads;
  }

  /**
   * Starts a browser.
   *
   * @param language such as {@code en}
   * @param trace whether the browser records its frames
   */
  static Browser start(String language, boolean trace) throws IOException {
    Path downloads = Files.createTempDirectory("kblake-page-");
    ChromeOptions options = new ChromeOptions();
    options.setBinary(CHROMIUM.toFile());
    options.addArguments(
        "--headless=new",
        "--no-sandbox",
        "--disable-dev-shm-usage",
        "--hide-scrollbars",
        "--accept-lang=" + language,
        "--lang=" + language,
        "--user-data-dir=" + downloads.resolve("profile"));
    options.setExperimentalOption(
        "prefs",
        Map.of(
            "download.default_directory", downloads.toString(), "intl.accept_languages", language));
    LoggingPreferences logs = new LoggingPreferences();
    logs.enable(LogType.BROWSER, Level.ALL);
    if (trace) {
      logs.enable(LogType.PERFORMANCE, Level.ALL);
      options.setExperimentalOption(
          "perfLoggingPrefs",
          Map.of(
              "enableNetwork",
              false,
              "enablePage",
              false,
              "traceCategories",
              FrameTrace.CATEGORIES));
    }
    options.setCapability("goog:loggingPrefs", logs);
    ChromeDriverService service =
        new ChromeDriverService.Builder().usingDriverExecutable(DRIVER.toFile()).build();
    ChromeDriver driver = new ChromeDriver(service, options);
    driver.manage().timeouts().scriptTimeout(PATIENCE);
    return new Browser(driver, downloads);
  }

  ChromeDriver driver() {
    return driver;
  }

  Browser size(int width, int height) {
    driver.executeCdpCommand(
        "Emulation.setDeviceMetricsOverride",
        Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", false));
    return this;
  }

  /** Sets the theme of the system. */
  Browser theme(String theme) {
    driver.executeCdpCommand(
        "Emulation.setEmulatedMedia",
        Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", theme))));
    return this;
  }

  /** Runs a script in each page that is opened from now on, before its own scripts. */
  void before(String script) {
    driver.executeCdpCommand("Page.addScriptToEvaluateOnNewDocument", Map.of("source", script));
  }

  /** Makes each page that is opened from now on keep the delays of its timers in {@code timers}. */
  void watchTimers() {
    before(
        """
        {
          const [set, clear] = [window.setTimeout, window.clearTimeout];
          window.timers = new Map();
          window.setTimeout = (run, delay, ...rest) => {
            const id = set(() => {
              timers.delete(id);
              run(...rest);
            }, delay);
            timers.set(id, delay);
            return id;
          };
          window.clearTimeout = (id) => {
            timers.delete(id);
            clear(id);
          };
        }
        """);
  }

  /** Holds back the answers to requests of the page whose address has a text. */
  void hold(String text) {
    script(
        """
        const ask = window.fetch, text = arguments[0];
        const answers = window.held = [];
        window.fetch = async (address, options) => {
          const answer = await ask(address, options);
          if (address.includes(text)) await new Promise((release) => answers.push(release));
          return answer;
        };
        return true;
        """,
        text);
  }

  /** Waits until an answer is held back. */
  void awaitHeld() {
    await("return held.length > 0");
  }

  /** Gives the page the answers that are held back. */
  void release() {
    script("held.forEach((release) => release()); return true");
  }

  void open(String address) {
    driver.get(address);
  }

  /** Opens a page with channels, and waits until they are drawn. */
  void openChart(String address) {
    open(address);
    awaitDrawn();
  }

  /** Waits until channels are drawn and nothing is requested. */
  void awaitDrawn() {
    await(
        "const c = document.getElementById('chart');"
            + " return c.dataset.drawn && c.getAttribute('aria-busy') === 'false'");
  }

  /** Waits until a script returns true. */
  void await(String script) {
    new WebDriverWait(driver, PATIENCE, Duration.ofMillis(50))
        .withMessage(() -> "not true: " + script + " at " + driver.getCurrentUrl())
        .until(each -> truth(driver.executeScript(script)));
  }

  private static boolean truth(@Nullable Object value) {
    return value != null && !value.equals(false) && !value.equals("") && !value.equals(0L);
  }

  /** Runs a script that calls its last argument with its result, which is not null. */
  Object later(String script) {
    return requireNonNull(driver.executeAsyncScript(script), script);
  }

  Object script(String script, Object... arguments) {
    return Objects.requireNonNull(driver.executeScript(script, arguments), script);
  }

  double number(String script, Object... arguments) {
    return ((Number) script(script, arguments)).doubleValue();
  }

  String text(String selector) {
    return String.valueOf(
        script("return document.querySelector(arguments[0])?.innerText ?? ''", selector));
  }

  void awaitText(String selector, String text) {
    new WebDriverWait(driver, PATIENCE, Duration.ofMillis(50))
        .withMessage(() -> selector + " has not '" + text + "' but '" + text(selector) + "'")
        .until(each -> text(selector).contains(text));
  }

  WebElement element(String selector) {
    return driver.findElement(By.cssSelector(selector));
  }

  List<WebElement> elements(String selector) {
    return driver.findElements(By.cssSelector(selector));
  }

  /** Presses keys on the page, outside of an input. */
  void press(CharSequence... keys) {
    script("document.activeElement.blur(); return true");
    new Actions(driver).sendKeys(keys).perform();
  }

  /** Types a text into an input. */
  void type(String selector, String text) {
    WebElement input = element(selector);
    input.click();
    input.sendKeys(Keys.chord(Keys.CONTROL, "a"), text);
  }

  /** Returns the shown period in milliseconds since 1970 UTC. */
  double[] period() {
    return new double[] {
      number("return +document.getElementById('chart').dataset.from"),
      number("return +document.getElementById('chart').dataset.to")
    };
  }

  /** Waits until the shown period is another one, and drawn. */
  double[] awaitPeriodOtherThan(double[] before) {
    await(
        "const d = document.getElementById('chart').dataset;"
            + " return Math.abs(d.from - %s) + Math.abs(d.to - %s) > 1"
                .formatted(before[0], before[1]));
    awaitAddress();
    awaitDrawn();
    return period();
  }

  /** Waits until the address has the shown period. */
  void awaitAddress() {
    await(
        "const d = document.getElementById('chart').dataset;"
            + " const p = new URLSearchParams(location.search);"
            + " return isNaN(Date.parse(p.get('from'))) || Math.abs(Date.parse(p.get('from')) - d.from) < 2");
  }

  /**
   * Returns how many pixels of a column of the plot have about a colour of the theme.
   *
   * @param time in milliseconds since 1970 UTC
   */
  double pixels(double time, String variable) {
    return number(
        """
        const chart = document.getElementById('chart'), canvas = chart.querySelector('canvas');
        const over = chart.querySelector('.u-over').getBoundingClientRect();
        const all = canvas.getBoundingClientRect();
        const share = (arguments[0] - chart.dataset.from) / (chart.dataset.to - chart.dataset.from);
        const x = Math.round(over.left - all.left + share * over.width);
        const data = canvas.getContext('2d').getImageData(x, over.top - all.top, 1, over.height).data;
        const probe = document.createElement('i');
        probe.style.color = 'var(--' + arguments[1] + ')';
        document.body.append(probe);
        const [r, g, b] = getComputedStyle(probe).color.match(/\\d+/g).map(Number);
        probe.remove();
        let count = 0;
        for (let i = 0; i < data.length; i += 4) {
          const far = Math.abs(data[i] - r) + Math.abs(data[i + 1] - g) + Math.abs(data[i + 2] - b);
          count += data[i + 3] > 200 && far < 40 ? 1 : 0;
        }
        return count;
        """,
        time,
        variable);
  }

  /** Returns the variable of a channel's colour. */
  String colour(String channel) {
    return String.valueOf(
        script(
            "const card = [...document.querySelectorAll('.card')]"
                + ".find(each => each.title.startsWith(arguments[0]));"
                + " return [...card.classList].find(each => each.startsWith('series'))"
                + ".replace('series', 'series-')",
            channel));
  }

  /** Moves the pointer over the plot; the place is a share of its width and height. */
  Actions at(double x, double y) {
    WebElement over = element(".u-over");
    Dimension size = over.getSize();
    return new Actions(driver)
        .moveToElement(
            over,
            (int) Math.round((x - 0.5) * size.width),
            (int) Math.round((y - 0.5) * size.height));
  }

  /** Returns the errors of the console since the last call. */
  List<String> errors() {
    List<String> errors = new ArrayList<>();
    for (LogEntry entry : driver.manage().logs().get(LogType.BROWSER)) {
      if (entry.getLevel().intValue() >= Level.SEVERE.intValue()) {
        errors.add(entry.getMessage());
      }
    }
    return errors;
  }

  void assertNoErrors() {
    assertThat(errors()).isEmpty();
  }

  /** Waits for a file that the page lets the browser save. */
  Path download(String suffix) throws IOException, InterruptedException {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (System.nanoTime() < end) {
      try (var files = Files.list(downloads)) {
        for (Path file : files.toList()) {
          if (file.toString().endsWith(suffix)) {
            return file;
          }
        }
      }
      Thread.sleep(50);
    }
    throw new AssertionError("no file was saved: " + suffix);
  }

  /** Saves a picture of the page. */
  void screenshot(Path file) {
    try {
      Files.createDirectories(requireNonNull(file.getParent()));
      Files.write(file, driver.getScreenshotAs(OutputType.BYTES));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Waits until what was asked for at this moment is on the screen. */
  void settle() {
    later(
        "const done = arguments[0];"
            + " setTimeout(() => requestAnimationFrame(() => requestAnimationFrame(() => done(true))), 120)");
  }

  @Override
  public void close() throws IOException {
    driver.quit();
    try (var files = Files.walk(downloads)) {
      for (Path file : files.sorted(java.util.Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    }
  }
}
