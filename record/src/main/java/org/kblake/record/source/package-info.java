/**
 * Events of live channels, whatever protocol they come from, and the ring in which they wait. Knows
 * no socket and no file.
 */
@NullMarked
package org.kblake.record.source;

import org.jspecify.annotations.NullMarked;
