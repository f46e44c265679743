package org.kblake.cli.command.coverage;

import java.nio.file.Path;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The output formats. The names are the option's values, and the endings of files. */
enum CoverageForm {
  text,
  json,
  svg,
  png;

  /** Returns the format of a file by the ending of its name; null if it is unknown. */
  static @Nullable CoverageForm ofFile(Path file) {
    String name = String.valueOf(file.getFileName()).toLowerCase(Locale.ROOT);
    if (name.endsWith(".txt")) {
      return text;
    }
    for (CoverageForm form : values()) {
      if (form != text && name.endsWith("." + form)) {
        return form;
      }
    }
    return null;
  }
}
