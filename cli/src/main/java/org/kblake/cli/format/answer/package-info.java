/**
 * Chooses the writer of an answer by its format.
 *
 * <p>May use {@code cli.format}, {@code cli.format.text}, {@code cli.format.time}, {@code
 * cli.format.arrow}, {@code cli.format.parquet}.
 */
@NullMarked
package org.kblake.cli.format.answer;

import org.jspecify.annotations.NullMarked;
