/**
 * Archives of a simulated accelerator, of any size. The same seed gives the same bytes on every
 * JDK: no time, thread or random number of the JDK is used. {@link org.kblake.simulate.Simulation}
 * is the entry.
 *
 * <p>May use {@code core.model}, {@code core.layout}, {@code core.internal.metadata}, {@code
 * core.internal.log.pair}, {@code core.internal.log.scan}, {@code core.internal.log.write}, {@code
 * simulate.preset}, {@code simulate.machine}, {@code simulate.channel}.
 */
@NullMarked
package org.kblake.simulate;

import org.jspecify.annotations.NullMarked;
