package org.kblake.cli.settings;

/**
 * A value of a settings file that is neither a text nor a table.
 *
 * @param found the value in the file
 */
public record UnexpectedValue(String found) {

  @Override
  public String toString() {
    return found;
  }
}
