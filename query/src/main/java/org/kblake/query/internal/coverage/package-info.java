/**
 * Builds the coverage report from segments, damage and missing files.
 *
 * <p>May use {@code core.model}, {@code core.internal.log.writes}, {@code core.internal.time},
 * {@code query.answer}, {@code query.internal.catalog}.
 */
@NullMarked
package org.kblake.query.internal.coverage;

import org.jspecify.annotations.NullMarked;
