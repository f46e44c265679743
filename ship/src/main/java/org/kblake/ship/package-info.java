/** The extension of {@code kblake ship}. */
@NullMarked
package org.kblake.ship;

import org.jspecify.annotations.NullMarked;
