/**
 * The output formats of {@code kblogrd}: free, kaleida, sad, csv.
 *
 * <p>May use {@code core.model}, {@code core.columns}, {@code format.text}, {@code format.number},
 * {@code format.time}.
 */
@NullMarked
package org.kblake.cli.kblogrd.format;

import org.jspecify.annotations.NullMarked;
