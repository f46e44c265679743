/**
 * The schema of an answer as Arrow vectors.
 *
 * <p>May use {@code core.model}.
 */
@NullMarked
package org.kblake.query.arrow;

import org.jspecify.annotations.NullMarked;
