/** The operators of the Archiver Appliance: bins and their figures. */
@NullMarked
package org.kblake.server.internal.appliance.operator;

import org.jspecify.annotations.NullMarked;
