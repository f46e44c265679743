/**
 * Drawings of lines, areas and texts, as SVG and as PNG, and the ticks of their axes. A drawing
 * does not know what it shows.
 */
@NullMarked
package org.kblake.cli.draw;

import org.jspecify.annotations.NullMarked;
