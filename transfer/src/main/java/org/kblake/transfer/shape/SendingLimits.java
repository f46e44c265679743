package org.kblake.transfer.shape;

import org.jspecify.annotations.Nullable;

/**
 * What a collector sends of logs at most, where the network has no rules.
 *
 * @param all to all builders together; null for no limit
 * @param builder to each builder; null for no limit
 */
public record SendingLimits(@Nullable BitRate all, @Nullable BitRate builder) {

  /** Nothing is limited. */
  public static final SendingLimits NONE = new SendingLimits(null, null);
}
