/**
 * Answers as lines of CSV, TSV and JSON.
 *
 * <p>May use {@code core.model}, {@code core.columns}, {@code core.internal.columns}, {@code
 * query.arrow}, {@code format}, {@code format.number}, {@code format.time}.
 */
@NullMarked
package org.kblake.format.text;

import org.jspecify.annotations.NullMarked;
