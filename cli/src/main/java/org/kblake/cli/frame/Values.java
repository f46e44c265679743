package org.kblake.cli.frame;

import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.ArgSpec;

/**
 * An option that may be given more than once, or any number of arguments.
 *
 * @param <T> the type of a value
 */
public final class Values<T> {

  private final ArgSpec argument;

  Values(ArgSpec argument) {
    this.argument = argument;
  }

  /** Returns the values in the order of the command line; empty if it has none. */
  public List<T> get() {
    @Nullable List<T> values = argument.getValue();
    return values == null ? List.of() : values;
  }
}
