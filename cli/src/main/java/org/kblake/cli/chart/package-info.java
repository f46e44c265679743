/**
 * Charts of numbers made of characters.
 *
 * <p>May use no other package of kblake.
 */
@NullMarked
package org.kblake.cli.chart;

import org.jspecify.annotations.NullMarked;
