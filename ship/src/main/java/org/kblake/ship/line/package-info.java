/** Events as lines of InfluxDB's line protocol. */
@NullMarked
package org.kblake.ship.line;

import org.jspecify.annotations.NullMarked;
