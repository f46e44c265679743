/** Aggregates of events in bins, in one pass; in two passes with held values. */
@NullMarked
package org.kblake.query.internal.trend;

import org.jspecify.annotations.NullMarked;
