/** The heap that merges rows of several columns. */
@NullMarked
package org.kblake.core.internal.columns;

import org.jspecify.annotations.NullMarked;
