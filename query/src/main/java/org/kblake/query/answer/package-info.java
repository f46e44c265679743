/**
 * Descriptions of an answer: coverage, plan, channels, held values.
 *
 * <p>May use {@code core.model}, {@code core.columns}, {@code core.internal.time}.
 */
@NullMarked
package org.kblake.query.answer;

import org.jspecify.annotations.NullMarked;
