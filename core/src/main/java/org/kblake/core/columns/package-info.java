/**
 * Events as arrays, one array for each column. Scans fill them, encoders read them, decoders fill
 * them again.
 */
@NullMarked
package org.kblake.core.columns;

import org.jspecify.annotations.NullMarked;
