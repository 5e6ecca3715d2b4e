import { messageOf, PermanentJobError } from '../../platform/errors.js';
import type { Mail } from '../../platform/outbound/mail/mail.js';
import type { SendOutcome } from '../../platform/outbound/signed-post.js';
import type { TenantMailers } from './tenant-mailers.js';

/** Sends a mail of the tenant once; a failure is a result. */
export async function tryMail(
  mailers: Pick<TenantMailers, 'of'>,
  { tenantId, mail }: { tenantId: number; mail: Mail },
  signal: AbortSignal | undefined,
): Promise<SendOutcome> {
  try {
    await mailers.of(tenantId, () => undefined).send(mail, signal);
    return 'done';
  } catch (error) {
    if (signal?.aborted === true) return 'interrupted';
    return { error: messageOf(error), permanent: error instanceof PermanentJobError };
  }
}
