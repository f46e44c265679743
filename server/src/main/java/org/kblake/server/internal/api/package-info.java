/**
 * The server's own API below {@code /api/v1}, as docs/http-api.md describes it.
 *
 * <p>May use {@code core.model}, {@code core.columns}, {@code core.internal.columns}, {@code
 * core.internal.stop}, {@code query}, {@code query.answer}, {@code query.question}, {@code format},
 * {@code format.argument}, {@code format.arrow}, {@code format.table}, {@code format.text}, {@code
 * format.time}, {@code server.internal.answer}, {@code server.internal.data}, {@code
 * server.internal.http}.
 */
@NullMarked
package org.kblake.server.internal.api;

import org.jspecify.annotations.NullMarked;
