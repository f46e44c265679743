/**
 * The rows, times and columns of an answer that a command line selects.
 *
 * <p>May use {@code core.model}, {@code core.columns}, {@code query.question}, {@code
 * format.argument}, {@code cli.error}, {@code cli.frame}.
 */
@NullMarked
package org.kblake.cli.filter;

import org.jspecify.annotations.NullMarked;
