package org.kblake.cli.frame;

import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.ArgSpec;

/**
 * An option or an argument that always has a value, because it is required or has a default.
 *
 * @param <T> the type of the value
 */
public final class Value<T> {

  private final ArgSpec argument;

  Value(ArgSpec argument) {
    this.argument = argument;
  }

  /**
   * Returns the value of the command line, or the default.
   *
   * @throws NullPointerException before a command line was parsed
   */
  public T get() {
    @Nullable T value = argument.getValue();
    return Objects.requireNonNull(value, argument.toString());
  }
}
