package org.kblake.cli.frame;

/** When to write in colours; the names are the option's values. */
enum ColorMode {
  auto,
  always,
  never
}
