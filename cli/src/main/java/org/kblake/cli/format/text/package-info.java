/**
 * Answers as lines of CSV, TSV and JSON.
 *
 * <p>May use {@code core.model}, {@code core.columns}, {@code core.internal.columns}, {@code
 * query.arrow}, {@code cli.format}, {@code cli.format.number}, {@code cli.format.time}.
 */
@NullMarked
package org.kblake.cli.format.text;

import org.jspecify.annotations.NullMarked;
