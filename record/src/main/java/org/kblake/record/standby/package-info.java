/** Taking over from another recorder: who is active, and what it has written. */
@NullMarked
package org.kblake.record.standby;

import org.jspecify.annotations.NullMarked;
