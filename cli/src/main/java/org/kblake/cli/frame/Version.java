package org.kblake.cli.frame;

import java.io.IOException;
import picocli.CommandLine.IVersionProvider;

/** Which kblake this is, and what it runs on. */
public final class Version implements IVersionProvider {

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
