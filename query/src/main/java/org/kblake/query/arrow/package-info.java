/** The schema of an answer as Arrow vectors. */
@NullMarked
package org.kblake.query.arrow;

import org.jspecify.annotations.NullMarked;
