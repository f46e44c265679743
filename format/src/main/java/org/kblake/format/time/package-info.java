/** Instants as text. */
@NullMarked
package org.kblake.format.time;

import org.jspecify.annotations.NullMarked;
