/**
 * Plots of channels over time: the values of events in bins, one for each column of a picture, and
 * how they are drawn with pixels or with characters.
 */
@NullMarked
package org.kblake.cli.plot;

import org.jspecify.annotations.NullMarked;
