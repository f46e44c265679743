/** An event builder: fragments of events from collectors to builders, which a manager chooses. */
@NullMarked
package org.kblake.transfer.event;

import org.jspecify.annotations.NullMarked;
