/**
 * Events as arrays, one array for each column. Scans fill them, encoders read them, decoders fill
 * them again. Also what the files of columns have in common: the names of the columns, compression,
 * reads by position, and the error of a damaged file.
 */
@NullMarked
package org.kblake.core.columns;

import org.jspecify.annotations.NullMarked;
