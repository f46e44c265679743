/** Values held at an instant and at the points of a grid, against the naive reader. */
@NullMarked
package org.kblake.test.read.held;

import org.jspecify.annotations.NullMarked;
