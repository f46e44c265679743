package org.kblake.cli.frame;

/** The use of colours. The names are the option's values. */
enum ColorMode {
  auto,
  always,
  never
}
