/**
 * {@code /api/v1/live}: history and new events as server-sent events.
 *
 * <p>May use {@code core.model}, {@code core.columns}, {@code core.internal.columns}, {@code
 * query}, {@code query.answer}, {@code query.question}, {@code server.internal.answer}, {@code
 * server.internal.api}, {@code server.internal.data}, {@code server.internal.http}.
 */
@NullMarked
package org.kblake.server.internal.live;

import org.jspecify.annotations.NullMarked;
