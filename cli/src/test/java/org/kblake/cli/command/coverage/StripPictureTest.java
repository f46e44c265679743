package org.kblake.cli.command.coverage;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.kblake.core.internal.fixture.Seeds;
import org.kblake.core.model.Group;
import org.kblake.core.model.TimeRange;
import org.kblake.query.answer.Losses;
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
          for (Group group : histories.groups()) {
            assertThat(root.getTextContent()).contains(group.toString());
          }
          double width = Double.parseDouble(root.getAttribute("width"));
          for (int i = 0; i < document.getElementsByTagName("rect").getLength(); i++) {
            Element rectangle = (Element) document.getElementsByTagName("rect").item(i);
            double end = number(rectangle, "x") + number(rectangle, "width");
            assertThat(end).isLessThanOrEqualTo(width);
          }
        });
  }

  /** The spans and the bars of all groups need not fit in memory. */
  @Test
  void groupsAreWrittenBeforeTheLastOneIsFound() throws IOException {
    Random random = new Random(1);
    TimeRange range = RandomHistories.range(random);
    List<Group> groups = IntStream.range(0, 100).mapToObj(i -> new Group("S", "G" + i)).toList();
    for (CoverageForm form : List.of(CoverageForm.svg, CoverageForm.json)) {
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      List<Integer> sizes = new ArrayList<>();
      Histories histories =
          new Histories(
              range,
              ZoneOffset.UTC,
              groups,
              Losses.NONE,
              group -> {
                sizes.add(out.size());
                List<StateSpan> spans = RandomHistories.spans(range, random);
                return new GroupHistory(group, spans, List.of());
              });
      CoverageCommand.writeGroups(histories, form, out);
      assertThat(sizes).hasSize(groups.size());
      assertThat(sizes.get(99)).as("%s", form).isGreaterThan(out.size() / 2);
    }
  }

  private static double number(Element element, String name) {
    String text = element.getAttribute(name);
    return text.isEmpty() ? 0 : Double.parseDouble(text);
  }
}
