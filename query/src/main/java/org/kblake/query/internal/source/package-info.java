/**
 * Rows of events in the order of an answer: from blocks, from logs, merged over channels and
 * groups.
 */
@NullMarked
package org.kblake.query.internal.source;

import org.jspecify.annotations.NullMarked;
