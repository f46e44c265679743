/** Programs that measure clients of Channel Access against an IOC whose records count up. */
@NullMarked
package org.kblake.record.measure;

import org.jspecify.annotations.NullMarked;
