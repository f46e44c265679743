/**
 * The pairs of a recorded group: which bytes go to which file, and when. Knows events and ordinals
 * of records, no channels.
 */
@NullMarked
package org.kblake.record.log;

import org.jspecify.annotations.NullMarked;
