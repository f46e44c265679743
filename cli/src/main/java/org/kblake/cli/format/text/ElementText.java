package org.kblake.cli.format.text;

import java.io.IOException;

/** Writes the elements of a vector of one type. Not thread safe. */
interface ElementText {

  /** Looks at the vector's buffers; to be called whenever they were filled again. */
  void bind();

  /** Appends an element that is not null. */
  void write(int index, TextBuffer target) throws IOException;
}
