package org.kblake.cli.command.service;

import java.util.concurrent.Callable;
import org.kblake.cli.error.UsageException;
import picocli.CommandLine.Command;

/** {@code kblake config}: the parent of {@code kblake config check}. */
@Command(
    name = "config",
    header = "Check and show the settings.",
    description = {"", "kblake config check prints the settings, their origins, and mistakes."},
    footer = {"  kblake config check"})
public final class ConfigCommand implements Callable<Integer> {

  @Override
  public Integer call() {
    throw new UsageException("a subcommand is missing: kblake config check");
  }
}
