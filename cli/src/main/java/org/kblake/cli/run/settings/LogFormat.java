package org.kblake.cli.run.settings;

/** The formats of the log's lines. */
public enum LogFormat {
  TEXT,
  JSON
}
