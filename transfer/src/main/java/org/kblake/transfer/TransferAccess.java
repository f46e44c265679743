package org.kblake.transfer;

import org.jspecify.annotations.Nullable;

/** Who may take groups from a collector. */
@FunctionalInterface
public interface TransferAccess {

  /**
   * Returns why a builder is refused; null if it is admitted. The reason is sent to it.
   *
   * @param builder the name that it states
   * @param token empty if it sent none
   */
  @Nullable String refusal(String builder, String token);
}
