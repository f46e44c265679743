/**
 * {@code /api/v1/status} and {@code /api/v1/coverage}: the state of groups, now and over time.
 *
 * <p>May use {@code core.model}, {@code core.internal.stop}, {@code core.internal.time}, {@code
 * query}, {@code query.answer}, {@code query.question}, {@code server.internal.answer}, {@code
 * server.internal.api}, {@code server.internal.data}, {@code server.internal.http}.
 */
@NullMarked
package org.kblake.server.internal.status;

import org.jspecify.annotations.NullMarked;
