/** {@code kblake ship influxdb}, {@code ship ndjson} and {@code ship csv}. */
@NullMarked
package org.kblake.ship.command;

import org.jspecify.annotations.NullMarked;
