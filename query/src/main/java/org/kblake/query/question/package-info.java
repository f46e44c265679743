/**
 * Questions: channels, ranges, grids, filters of rows, and the errors of unknown names. All
 * questions are immutable values.
 */
@NullMarked
package org.kblake.query.question;

import org.jspecify.annotations.NullMarked;
