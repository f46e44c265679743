/** What was shipped: places in logs, and refused lines, as files. */
@NullMarked
package org.kblake.ship.state;

import org.jspecify.annotations.NullMarked;
