/**
 * Archives that look like the real thing, at any size, the same bytes for the same seed on every
 * JDK. May use the model and the log writer; nothing else of kblake comes in, and no time, thread
 * or random number of the JDK does either.
 */
@NullMarked
package org.kblake.core.simulate;

import org.jspecify.annotations.NullMarked;
