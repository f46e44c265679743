/** Files of the Archiver Appliance: one sample in a line, each a message of protocol buffers. */
@NullMarked
package org.kblake.record.importing.appliance;

import org.jspecify.annotations.NullMarked;
