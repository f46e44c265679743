/** The service that follows an archive, on threads of a test. */
@NullMarked
package org.kblake.test.live.service;

import org.jspecify.annotations.NullMarked;
