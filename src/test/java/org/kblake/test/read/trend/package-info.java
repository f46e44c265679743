/** Aggregates of events in bins, against the naive reader. */
@NullMarked
package org.kblake.test.read.trend;

import org.jspecify.annotations.NullMarked;
