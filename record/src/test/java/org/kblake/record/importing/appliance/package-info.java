/** Tests of imports. */
@NullMarked
package org.kblake.record.importing.appliance;

import org.jspecify.annotations.NullMarked;
