package org.kblake.cli.draw;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import javax.imageio.ImageIO;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;

/** The same drawing as SVG and as PNG. */
final class DrawingTest {

  private static final int WIDTH = 200;
  private static final int HEIGHT = 100;

  private static void draw(Drawing drawing) {
    drawing.fill(10, 10, 30, 20, Ink.BLUE);
    drawing.line(new double[] {50, 90}, new double[] {20, 20}, Ink.RED, 4, false);
    drawing.hatch(100, 10, 40, 40, Ink.GREEN);
    drawing.text(100, 80, "a < b & c > \"d\" \u0001 \ufffe 日本", Anchor.MIDDLE, Ink.TEXT);
  }

  private static Document svg() throws Exception {
    SvgDrawing drawing = new SvgDrawing(WIDTH, HEIGHT);
    draw(drawing);
    return DocumentBuilderFactory.newInstance()
        .newDocumentBuilder()
        .parse(new ByteArrayInputStream(drawing.document().getBytes(StandardCharsets.UTF_8)));
  }

  private static BufferedImage png() throws IOException {
    PngDrawing drawing = new PngDrawing(WIDTH, HEIGHT);
    draw(drawing);
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    drawing.write(bytes);
    return ImageIO.read(new ByteArrayInputStream(bytes.toByteArray()));
  }

  @Test
  void svgIsWellFormedAndHasEscapedTexts() throws Exception {
    Document document = svg();

    assertThat(document.getDocumentElement().getAttribute("width")).isEqualTo("200");
    assertThat(document.getElementsByTagName("text").item(0).getTextContent())
        .isEqualTo("a < b & c > \"d\" ? ? 日本");
  }

  @Test
  void imageThatDoesNotFitInMemoryIsRefusedWithItsSize() {
    assertThatThrownBy(() -> new PngDrawing(1000, 1 << 30))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("1000 x 1073741824 pixels takes 4096000 MiB")
        .hasMessageContaining("write .svg");
  }

  /** A document without these rules is unreadable on one of the grounds. */
  @Test
  void svgHasEachColorForLightAndForDarkGround() throws Exception {
    String style = svg().getElementsByTagName("style").item(0).getTextContent();

    int dark = style.indexOf("@media (prefers-color-scheme:dark)");
    for (Ink ink : Ink.values()) {
      assertThat(style.substring(0, dark))
          .contains(".f-%s{fill:#%06x}".formatted(ink.cssClass(), ink.light()));
      assertThat(style.substring(dark))
          .contains(".f-%s{fill:#%06x}".formatted(ink.cssClass(), ink.dark()));
    }
  }

  @Test
  void eachHatchOfSvgHasItsPattern() throws Exception {
    Document document = svg();

    Element pattern = (Element) document.getElementsByTagName("pattern").item(0);
    Element hatched = (Element) document.getElementsByTagName("rect").item(2);
    assertThat(hatched.getAttribute("fill")).isEqualTo("url(#" + pattern.getAttribute("id") + ")");
  }

  @Test
  void pngHasTheSizeAndTheColorsOfTheDrawing() throws IOException {
    BufferedImage image = png();

    assertThat(image.getWidth()).isEqualTo(WIDTH);
    assertThat(image.getHeight()).isEqualTo(HEIGHT);
    assertThat(color(image, 5, 5)).isEqualTo(Ink.GROUND.light());
    assertThat(color(image, 10, 10)).isEqualTo(Ink.BLUE.light());
    assertThat(color(image, 39, 29)).isEqualTo(Ink.BLUE.light());
    assertThat(color(image, 40, 30)).isEqualTo(Ink.GROUND.light());
    assertThat(color(image, 70, 20)).isEqualTo(Ink.RED.light());
  }

  @Test
  void hatchOfPngShowsWhatIsBehindIt() throws IOException {
    BufferedImage image = png();

    int ground = 0;
    int hatched = 0;
    for (int x = 100; x < 140; x++) {
      for (int y = 10; y < 50; y++) {
        ground += color(image, x, y) == Ink.GROUND.light() ? 1 : 0;
        hatched += color(image, x, y) == Ink.GROUND.light() ? 0 : 1;
      }
    }
    assertThat(ground).isGreaterThan(400);
    assertThat(hatched).isGreaterThan(400);
  }

  private static int color(BufferedImage image, int x, int y) {
    return image.getRGB(x, y) & 0xffffff;
  }
}
