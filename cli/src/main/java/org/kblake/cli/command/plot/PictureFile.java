package org.kblake.cli.command.plot;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Locale;
import org.kblake.cli.command.answer.OutputFile;
import org.kblake.cli.draw.Drawing;
import org.kblake.cli.draw.PngDrawing;
import org.kblake.cli.draw.SvgDrawing;
import org.kblake.cli.error.UsageException;
import org.kblake.cli.frame.Session;

/**
 * A file that becomes a picture. Its ending selects the format.
 *
 * @param path the resolved path
 * @param png whether it is PNG, and not SVG
 */
record PictureFile(Session session, Path path, boolean png) {

  /** Draws on a picture. */
  @FunctionalInterface
  interface Picture<T> {
    T draw(Drawing drawing) throws IOException;
  }

  /**
   * @throws UsageException if the ending is unknown
   * @throws IOException if there can be no such file
   */
  static PictureFile of(Session session, Path named) throws IOException {
    String name = named.toString().toLowerCase(Locale.ROOT);
    if (!name.endsWith(".svg") && !name.endsWith(".png")) {
      throw new UsageException("unknown ending of -o " + named + ": write .svg or .png");
    }
    Path path = session.path(named);
    OutputFile.check(session.settings().archive(), path);
    return new PictureFile(session, path, name.endsWith(".png"));
  }

  /**
   * Writes the file. It appears when it is complete.
   *
   * @return what the picture returns
   */
  <T> T write(int width, int height, Picture<T> picture) throws IOException {
    if (png) {
      PngDrawing drawing = new PngDrawing(width, height);
      T result = picture.draw(drawing);
      write(drawing::write);
      return result;
    }
    SvgDrawing drawing = new SvgDrawing(width, height);
    T result = picture.draw(drawing);
    write(out -> out.write(drawing.document().getBytes(StandardCharsets.UTF_8)));
    return result;
  }

  private interface Content {
    void write(OutputStream out) throws IOException;
  }

  private void write(Content content) throws IOException {
    try (OutputFile file = OutputFile.create(session.settings().archive(), path)) {
      content.write(file.out());
      file.complete();
    }
  }
}
