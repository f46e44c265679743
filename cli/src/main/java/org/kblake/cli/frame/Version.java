package org.kblake.cli.frame;

import java.io.IOException;
import picocli.CommandLine.IVersionProvider;

/** The versions of kblake, Java and operating system for {@code --version}. */
final class Version implements IVersionProvider {

  @Override
  public String[] getVersion() throws IOException {
    return new String[] {
      "kblake " + Release.version(),
      "Java "
          + Runtime.version()
          + ", "
          + System.getProperty("os.name")
          + " "
          + System.getProperty("os.arch")
    };
  }
}
