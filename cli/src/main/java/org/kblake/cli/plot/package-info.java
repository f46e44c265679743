/**
 * Plots of channels over time: the values of events in bins, one for each column of a picture, and
 * how they are drawn with pixels or with characters.
 *
 * <p>May use {@code core.columns}, {@code core.model}, {@code query}, {@code query.question},
 * {@code query.answer}, {@code cli.draw}, {@code cli.frame}.
 */
@NullMarked
package org.kblake.cli.plot;

import org.jspecify.annotations.NullMarked;
