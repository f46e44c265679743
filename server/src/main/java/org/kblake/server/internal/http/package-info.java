/**
 * HTTP for all doors: listening, TLS, errors as status and text.
 *
 * <p>May use {@code core.archive}, {@code core.internal.parquet.page}, {@code query.question},
 * {@code server.internal.connection}, {@code server.internal.guard}, {@code server.settings}.
 */
@NullMarked
package org.kblake.server.internal.http;

import org.jspecify.annotations.NullMarked;
