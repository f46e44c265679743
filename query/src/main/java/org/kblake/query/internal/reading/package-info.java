/** The reading of a group's log for an answer, forward or backward, and its report. */
@NullMarked
package org.kblake.query.internal.reading;

import org.jspecify.annotations.NullMarked;
