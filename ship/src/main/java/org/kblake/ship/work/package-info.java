/** Groups whose events are shipped, and the workers that ship them. */
@NullMarked
package org.kblake.ship.work;

import org.jspecify.annotations.NullMarked;
