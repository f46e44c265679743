package org.kblake.cli.settings;

/**
 * A value of a settings file that is neither text nor table.
 *
 * @param found what the file says
 */
public record UnexpectedValue(String found) {

  @Override
  public String toString() {
    return found;
  }
}
