/** Numbers as decimal text. */
@NullMarked
package org.kblake.format.number;

import org.jspecify.annotations.NullMarked;
