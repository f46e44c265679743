package org.kblake.cli.command.analysis;

/** The formats of rows. The names are the option's values. */
enum RowForm {
  text,
  csv,
  json
}
