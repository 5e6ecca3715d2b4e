import { countUnconnected } from '../../../data/face.js';
import { CREDENTIAL_KINDS, credentialCountReasons } from '../../monitoring/reasons/credential-reasons.js';
import type { Check, StoreContext } from '../check.js';
import { toFindings } from '../finding.js';

const MOST_COUNTED = 1_000;

/** Credentials that a person must connect. */
export const credentialCheck: Check<StoreContext> = {
  name: 'credentials',
  needs: ['database'],
  kinds: CREDENTIAL_KINDS,
  async run({ database }) {
    const counted = await database.read((session) => countUnconnected(session, MOST_COUNTED));
    return toFindings(credentialCountReasons(counted, MOST_COUNTED));
  },
};
