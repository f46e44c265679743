package org.kblake.cli.run.settings;

/** How lines of the log look. */
public enum LogFormat {
  TEXT,
  JSON
}
