package org.kblake.cli.run;

/** How lines of the log look. */
public enum LogFormat {
  TEXT,
  JSON
}
