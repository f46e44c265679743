package org.kblake.cli.command.coverage;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.util.Random;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.kblake.core.internal.fixture.Seeds;
import org.w3c.dom.Document;
import org.w3c.dom.Element;

/** Strips as SVG. */
final class StripPictureTest {

  @Test
  void writesWellFormedDocumentsWithTheNamesOfAllGroups() throws Exception {
    Seeds.each(
        "StripPictureTest",
        20,
        seed -> {
          Histories histories = RandomHistories.histories(new Random(seed));
          ByteArrayOutputStream svg = new ByteArrayOutputStream();
          StripPicture.write(histories, CoverageForm.svg, svg);
          Document document =
              DocumentBuilderFactory.newInstance()
                  .newDocumentBuilder()
                  .parse(new ByteArrayInputStream(svg.toByteArray()));
          Element root = document.getDocumentElement();
          assertThat(root.getTagName()).isEqualTo("svg");
          for (GroupHistory group : histories.groups()) {
            assertThat(root.getTextContent()).contains(group.group().toString());
          }
          double width = Double.parseDouble(root.getAttribute("width"));
          for (int i = 0; i < document.getElementsByTagName("rect").getLength(); i++) {
            Element rectangle = (Element) document.getElementsByTagName("rect").item(i);
            double end = number(rectangle, "x") + number(rectangle, "width");
            assertThat(end).isLessThanOrEqualTo(width);
          }
        });
  }

  private static double number(Element element, String name) {
    String text = element.getAttribute(name);
    return text.isEmpty() ? 0 : Double.parseDouble(text);
  }
}
