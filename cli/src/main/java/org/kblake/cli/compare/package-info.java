/**
 * Compares another kblogrd with this one: requests, both answers, the first difference, and the
 * rule of the specification that it concerns.
 *
 * <p>May use {@code core.model}, {@code core.archive}, {@code core.internal.log.pair}, {@code
 * core.internal.log.archive}, {@code query}, {@code query.question}, {@code query.answer}, {@code
 * cli.kblogrd}, {@code cli.process}.
 */
@NullMarked
package org.kblake.cli.compare;

import org.jspecify.annotations.NullMarked;
