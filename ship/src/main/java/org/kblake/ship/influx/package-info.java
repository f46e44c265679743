/** Lines to InfluxDB over HTTP, and points back. */
@NullMarked
package org.kblake.ship.influx;

import org.jspecify.annotations.NullMarked;
