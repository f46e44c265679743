/**
 * Chooses the writer of an answer by its format.
 *
 * <p>May use {@code format}, {@code format.text}, {@code format.time}, {@code format.arrow}, {@code
 * format.parquet}.
 */
@NullMarked
package org.kblake.format.answer;

import org.jspecify.annotations.NullMarked;
