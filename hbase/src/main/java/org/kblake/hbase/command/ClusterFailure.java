package org.kblake.hbase.command;

import java.io.IOException;
import java.nio.file.Path;
import org.kblake.cli.command.shared.WriteFailure;
import org.kblake.hbase.cluster.ClusterErrors;

/** Explains errors of files and of HBase to the user. */
final class ClusterFailure {

  private ClusterFailure() {}

  /**
   * Explains an error.
   *
   * @param directory the directory that was written
   * @param advice the part that is kept, and how to continue
   */
  static IOException explained(IOException error, Path directory, String advice) {
    return error instanceof ClusterErrors.Lost
        ? new IOException(error.getMessage() + "; " + advice, error)
        : WriteFailure.explained(error, directory, advice);
  }
}
