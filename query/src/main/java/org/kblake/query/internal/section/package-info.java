/**
 * Divides a pair into sections in log order: stored in a block, raw in the log, or missing with a
 * reason.
 */
@NullMarked
package org.kblake.query.internal.section;

import org.jspecify.annotations.NullMarked;
