/**
 * Plans a question: which segments may have events of the range, and whether each is read from a
 * block or from a log.
 */
@NullMarked
package org.kblake.query.internal.plan;

import org.jspecify.annotations.NullMarked;
