/** Settings of Channel Access, as the environment of EPICS programs states them. */
@NullMarked
package org.kblake.record.channelaccess.settings;

import org.jspecify.annotations.NullMarked;
