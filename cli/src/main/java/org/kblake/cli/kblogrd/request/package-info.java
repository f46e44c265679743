/**
 * The command line of {@code kblogrd}: options, times, record names.
 *
 * <p>May use {@code core.model}, {@code core.internal.time}, {@code query.question}, {@code
 * format.number}, {@code cli.error}.
 */
@NullMarked
package org.kblake.cli.kblogrd.request;

import org.jspecify.annotations.NullMarked;
