@NullMarked
package org.kblake.record.standby;

import org.jspecify.annotations.NullMarked;
