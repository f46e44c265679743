package org.kblake.record.log;

import java.io.IOException;

/** Another recorder, or kblog, writes pairs of the group. */
public final class OtherWriterException extends IOException {

  private static final long serialVersionUID = 1L;

  private final boolean keepsStamps;

  /**
   * @param keepsStamps whether the other recorder keeps stamps, and so expects that it is replaced
   */
  OtherWriterException(String group, String reason, boolean keepsStamps) {
    super(
        "group is recorded by another program: group="
            + group
            + ", "
            + reason
            + "; stop that program, or record another group");
    this.keepsStamps = keepsStamps;
  }

  /** Returns whether the other recorder keeps stamps, and so expects that it is replaced. */
  public boolean keepsStamps() {
    return keepsStamps;
  }
}
