import { isKnownHash } from '../../../people/face.js';
import { isMailServerOfTenant } from '../../../data/face.js';
import type { CopiedRow, Move } from './moved-row.js';

/**
 * Whether a moved row may be stored: whoever hands over a copy gets no rights beyond the tenant (decision 0079). What is not,
 * is noted in `leftOut` of the move.
 */
export function isAdmitted(table: string, row: CopiedRow, { keepQuotas, leftOut, secrets }: Move): boolean {
  if (table === 'tenant_quotas') return keepQuotas;
  if (table === 'user_passwords' && !isKnownHash(String(row['hash']))) {
    leftOut.passwords.push(Number(row['user_id']));
    return false;
  }
  if (table !== 'tenant_mail_settings') return true;
  const isTenants = isMailServerOfTenant(secrets.openMailServer(row));
  leftOut.mailServer ||= !isTenants;
  return isTenants;
}
