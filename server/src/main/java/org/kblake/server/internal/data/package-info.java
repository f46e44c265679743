/**
 * The archive that all doors share, its channels by name, and the memory of requests.
 *
 * <p>May use {@code core.internal.names}, {@code core.internal.stop}, {@code core.model}, {@code
 * query}, {@code query.answer}, {@code query.question}, {@code server.internal.http}.
 */
@NullMarked
package org.kblake.server.internal.data;

import org.jspecify.annotations.NullMarked;
