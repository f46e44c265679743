package org.kblake.cli.settings;

/**
 * A setting as it is shown.
 *
 * @param key the key, with the names of its tables
 * @param value the text; {@code -} if it is not set
 * @param source the origin: an option, an environment variable, a file, {@code default}, {@code not
 *     set}
 */
public record ShownSetting(String key, String value, String source) {}
