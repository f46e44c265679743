package org.kblake.cli.command.get;

import java.io.IOException;
import org.kblake.query.ArchiveReader;

/** A kind of answer of {@code kblake get}. */
interface GetAnswer {

  /**
   * Asks an archive, and writes the answer.
   *
   * @return the exit status
   */
  int write(ArchiveReader archive, AnswerOutput target, AnswerEnd end) throws IOException;
}
