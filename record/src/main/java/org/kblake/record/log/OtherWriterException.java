package org.kblake.record.log;

import java.io.IOException;

/** Another recorder, or kblog, writes pairs of the group. */
public final class OtherWriterException extends IOException {

  private static final long serialVersionUID = 1L;

  OtherWriterException(String group, String reason) {
    super(
        "group is recorded by another program: group="
            + group
            + ", "
            + reason
            + "; stop that program, or record another group");
  }
}
