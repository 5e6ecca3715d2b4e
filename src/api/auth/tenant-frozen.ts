import { Unavailable } from '../../platform/errors.js';

const RETRY_AFTER_SECONDS = 30;

/** 503: the tenant is being moved to another installation, or was moved (docs/operate/moving-tenants.md). */
export class TenantFrozen extends Unavailable {
  constructor() {
    super('This tenant is being moved to another installation; try again later', {
      retryAfterSeconds: RETRY_AFTER_SECONDS,
    });
  }
}
