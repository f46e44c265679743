/**
 * Samples: the values of a channel with strictly increasing times, as the protocol has them.
 *
 * <p>May use {@code core.columns}, {@code core.model}, {@code query}, {@code query.answer}, {@code
 * query.question}, {@code server.internal.data}.
 */
@NullMarked
package org.kblake.server.internal.appliance.sample;

import org.jspecify.annotations.NullMarked;
