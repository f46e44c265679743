package org.kblake.format.text;

import java.io.IOException;

/** Writes the elements of a vector of one type. Not thread safe. */
interface ElementText {

  /** Binds to the vector's buffers. It must be called after each fill of the vector. */
  void bind();

  /** Appends an element that is not null. */
  void write(int index, TextBuffer target) throws IOException;
}
