/** The plain values everything else speaks in: no files, no bytes, no dependencies. */
@NullMarked
package org.kblake.core.model;

import org.jspecify.annotations.NullMarked;
