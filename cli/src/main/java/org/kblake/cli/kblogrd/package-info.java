/**
 * The program {@code kblogrd}: one request, one answer. It loads no picocli and no Arrow, because
 * each class takes time at a start.
 *
 * <p>May use {@code core.model}, {@code core.archive}, {@code core.columns}, {@code
 * core.internal.start}, {@code core.internal.time}, {@code query}, {@code query.question}, {@code
 * query.answer}, {@code format.text}, {@code cli.kblogrd.request}, {@code cli.kblogrd.format},
 * {@code cli.frame}, {@code cli.settings}, {@code cli.process}, {@code cli.error}.
 */
@NullMarked
package org.kblake.cli.kblogrd;

import org.jspecify.annotations.NullMarked;
