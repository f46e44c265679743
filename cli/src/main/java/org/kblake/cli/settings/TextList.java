package org.kblake.cli.settings;

import java.util.List;

/** A list of texts of a settings file, such as {@code ["host1:17670", "host2:17670"]}. */
record TextList(List<String> texts) {

  /** Returns the texts with commas between them, as a text in quotes would have them. */
  String joined() {
    return String.join(",", texts);
  }

  /** Returns the list as it is in the file. */
  @Override
  public String toString() {
    return texts.stream().map(each -> '"' + each + '"').toList().toString();
  }
}
