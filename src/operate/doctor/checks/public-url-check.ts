import { messageOf, Unauthorized } from '../../../platform/errors.js';
import type { Check, HostContext } from '../check.js';
import { finding, findingIf, type FindingKind } from '../finding.js';

const UNREACHABLE: FindingKind = {
  id: 'outbound.public-url',
  severity: 'error',
  why: 'Webhook callers, API clients and links in mails use this address.',
  remedy:
    'Start a web process; check the proxy in front of it, its certificate and DNS. Behind some firewalls, this machine cannot reach its own public address.',
};
const OTHER: FindingKind = {
  id: 'outbound.public-url-other',
  severity: 'error',
  why: 'The public address responds, but not as Fabula: another server or path answers.',
  remedy: 'Correct PUBLIC_URL, or the routing of the proxy in front of the web process.',
};

const LIMIT_MS = 5_000;
/** An endpoint that every version has; without a key, its refusal tells whose server it is. */
const PROBE = '/api/v1/info';

/** Whether PUBLIC_URL leads to a web process of Fabula. */
export const publicUrlCheck: Check<HostContext> = {
  name: 'public URL',
  needs: [],
  kinds: [UNREACHABLE, OTHER],
  async run({ config: { publicUrl } }) {
    if (publicUrl === undefined) return [];
    try {
      const response = await fetch(publicUrl + PROBE, {
        redirect: 'manual',
        signal: AbortSignal.timeout(LIMIT_MS),
      });
      const isOurs = (await saysOurs(response)) && response.status === 401;
      return findingIf(!isOurs, OTHER, `GET ${publicUrl}${PROBE} returned ${response.status}.`);
    } catch (error) {
      return [finding(UNREACHABLE, `GET ${publicUrl}${PROBE}: ${reasonOf(error)}.`)];
    }
  },
};

const MOST_CHARACTERS = 10_000;

async function saysOurs(response: Response): Promise<boolean> {
  const { message } = new Unauthorized();
  return (await response.text()).slice(0, MOST_CHARACTERS).includes(message);
}

/** Node's error says only "fetch failed"; its cause has the reason. */
function reasonOf(error: unknown): string {
  const { cause } = error as Error;
  return (messageOf(cause ?? error) || String((cause as NodeJS.ErrnoException).code)).replace(/\.$/, '');
}
