/**
 * Events as arrays, one array for each column. Scans fill them, encoders read them, decoders fill
 * them again.
 *
 * <p>May use {@code core.model}.
 */
@NullMarked
package org.kblake.core.columns;

import org.jspecify.annotations.NullMarked;
