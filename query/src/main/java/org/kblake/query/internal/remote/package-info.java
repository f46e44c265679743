/**
 * Answers that another process reads: their messages, and the rows in them.
 *
 * <p>May use {@code core.columns}, {@code core.model}, {@code core.internal.log.file}, {@code
 * query.answer}, {@code query.arrow}, {@code query.internal.arrow}, {@code query.internal.engine},
 * {@code query.internal.plan}, {@code query.internal.source}, {@code query.question}.
 */
@NullMarked
package org.kblake.query.internal.remote;

import org.jspecify.annotations.NullMarked;
