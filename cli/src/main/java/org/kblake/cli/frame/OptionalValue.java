package org.kblake.cli.frame;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.ArgSpec;

/**
 * An option or an argument that may be omitted, without a default.
 *
 * @param <T> the type of the value
 */
public final class OptionalValue<T> {

  private final ArgSpec argument;

  OptionalValue(ArgSpec argument) {
    this.argument = argument;
  }

  /** Returns the value, or null if the command line has none. */
  public @Nullable T get() {
    return argument.getValue();
  }

  /** Returns whether the command line has a value. */
  public boolean isGiven() {
    return get() != null;
  }
}
