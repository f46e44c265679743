/** The doors for clients of the EPICS Archiver Appliance: bytes, statuses, operators. */
@NullMarked
package org.kblake.test.appliance;

import org.jspecify.annotations.NullMarked;
