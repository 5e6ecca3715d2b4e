import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { Database } from '../../platform/mysql/database.js';
import { createPersistentSecret } from '../../platform/mysql/schema/persistent-secret.js';

/** The header by which a request to a webhook tells the run that makes it. */
export const RUN_CHAIN_HEADER = 'x-fabula-run';
/** The path of a webhook: under whatever name this installation is called, it knows its own runs. */
const WEBHOOK = /\/webhook\//i;
const MARK = /^([0-9a-f-]{36})\.([\w-]{22})$/;

export type RunChainMarks = ReturnType<typeof createRunChainMarks>;

/** Signs the guids of runs that call webhooks: who could forge one would have a run of somebody else count as a loop. */
export function createRunChainMarks(database: Pick<Database, 'read'>) {
  const secret = createPersistentSecret(database, { name: 'run_chain_secret', bytes: 32 });
  const markOf = async (guid: string) =>
    createHmac('sha256', await secret())
      .update(guid)
      .digest('base64url')
      .slice(0, 22);
  return {
    /**
     * Returns a function for the headers that a request of this run has at an address; a story cannot leave them out. Without
     * the database there are none: the request matters more.
     */
    headersFor:
      (guid: string) =>
      async (url: URL): Promise<Record<string, string>> => {
        if (!WEBHOOK.test(url.pathname)) return {};
        const mark = await markOf(guid).catch(() => undefined);
        return mark === undefined ? {} : { [RUN_CHAIN_HEADER]: `${guid}.${mark}` };
      },

    /** Returns the guid of the run that sent a request; undefined if none of this installation did. */
    async read(headers: IncomingHttpHeaders): Promise<string | undefined> {
      const header = headers[RUN_CHAIN_HEADER];
      const [, guid, mark] = MARK.exec(typeof header === 'string' ? header : '') ?? [];
      if (guid === undefined || mark === undefined) return undefined;
      return timingSafeEqual(Buffer.from(mark), Buffer.from(await markOf(guid))) ? guid : undefined;
    },
  };
}
