import { bearer, type Client } from '../../../support/clients.js';
import { ACTION_CALLS } from './actions.js';
import { CASE_CALLS } from './cases.js';
import { STORY_CALLS } from './stories.js';
import { LAST_CALLS, TENANT_CALLS } from './tenant.js';
import { VALUE_CALLS } from './values.js';

/** A Python wrapper of the whole API, and the command line on it. It sends parameters of reads as a JSON body. */
export const tapi: Client = {
  name: 'Tapi, Tines-CLI',
  headers: (key) => ({ ...bearer(key), accept: '*/*', 'user-agent': 'python-requests/2.32.3' }),
  calls: [...TENANT_CALLS, ...VALUE_CALLS, ...STORY_CALLS, ...ACTION_CALLS, ...CASE_CALLS, ...LAST_CALLS],
};
