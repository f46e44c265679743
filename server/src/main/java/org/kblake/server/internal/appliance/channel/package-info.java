/**
 * The channels of the archive by name: directory, search, and the choice of a group.
 *
 * <p>May use {@code core.model}, {@code query}, {@code query.answer}, {@code query.question},
 * {@code server.internal.data}.
 */
@NullMarked
package org.kblake.server.internal.appliance.channel;

import org.jspecify.annotations.NullMarked;
