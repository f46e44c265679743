/** Programs that measure clients of Channel Access against an IOC, and the writing of logs. */
@NullMarked
package org.kblake.record.measure;

import org.jspecify.annotations.NullMarked;
