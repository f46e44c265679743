/**
 * Divides a pair into ranges in log order: stored in a block, raw in the log, or missing with a
 * reason.
 */
@NullMarked
package org.kblake.query.internal.pair;

import org.jspecify.annotations.NullMarked;
