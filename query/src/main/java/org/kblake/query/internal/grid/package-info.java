/** Values held at the points of a grid, in one pass. */
@NullMarked
package org.kblake.query.internal.grid;

import org.jspecify.annotations.NullMarked;
