/** Tests of channels over PV Access. */
@NullMarked
package org.kblake.record.pvaccess;

import org.jspecify.annotations.NullMarked;
