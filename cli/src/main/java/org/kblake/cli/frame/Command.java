package org.kblake.cli.frame;

import java.util.concurrent.Callable;

/** A command. It is called after its options were parsed, and returns the exit status. */
public interface Command extends Callable<Integer> {

  /** Returns the command's texts, options and arguments. */
  CommandModel model();
}
