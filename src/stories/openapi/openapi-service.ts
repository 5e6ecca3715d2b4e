import { type Actor, homeTeamId } from '../../api/face.js';
import type { TenantQuotas } from '../../people/face.js';
import { Unprocessable } from '../../platform/errors.js';
import type { HttpClient } from '../../platform/outbound/http-exchange.js';
import { TaskTooLarge, TaskTooLong } from '../../platform/threads/thread-errors.js';
import type { TaskRunOptions, ThreadPool } from '../../platform/threads/thread-pool.js';
import { MOST_DOCUMENT_BYTES } from './imported-document.js';
import type { OpenapiListing } from './openapi-operations.js';
import type { OpenapiRequest, WantedOperation } from './openapi-request.js';
import type { OpenapiSource } from './openapi-task.js';

declare module '../../platform/threads/thread-pool.js' {
  interface ThreadTasks {
    'list-openapi': typeof import('./openapi-task.js').listOpenapiInThread;
    'import-openapi': typeof import('./openapi-task.js').importOpenapiInThread;
  }
}

/** Where a document is: at an address, or in the request. */
export interface GivenOpenapi {
  url: string | undefined;
  document: string | undefined;
  teamId: number | undefined;
}

export interface OpenapiServiceDeps {
  http: Pick<HttpClient, 'request'>;
  threads: Pick<ThreadPool, 'run'>;
  quotas: Pick<TenantQuotas, 'add' | 'requireArrival'>;
}

const FETCH_MS = 30_000;
const DEADLINE_MS = 20_000;
const ACCEPT = 'application/json, application/yaml, application/vnd.oai.openapi+json, */*;q=0.8';

export type OpenapiService = ReturnType<typeof createOpenapiService>;

/** Reads OpenAPI documents for authors of stories, in a thread. Documents are fetched within the rules for requests of stories (decision 0027). */
export function createOpenapiService({ http, threads, quotas }: OpenapiServiceDeps) {
  const fetched = async (actor: Actor, url: string, signal: AbortSignal): Promise<OpenapiSource> => {
    const answer = await http.request({
      url,
      method: 'GET',
      headers: { accept: ACCEPT },
      timeoutMs: FETCH_MS,
      signal,
      group: actor.tenantId,
    });
    signal.throwIfAborted();
    if (!answer.answered) throw new Unprocessable([{ message: answer.reason, details: 'url' }]);
    const { status, body } = answer;
    if (status !== 200) {
      throw new Unprocessable([{ message: `${new URL(url).host} answered ${status}`, details: 'url' }]);
    }
    if (body.length > MOST_DOCUMENT_BYTES) {
      const message = `The document is larger than ${MOST_DOCUMENT_BYTES} bytes`;
      throw new Unprocessable([{ message, details: 'url' }]);
    }
    return { content: body, address: url };
  };

  const inThread = async <Result>(
    actor: Actor,
    given: GivenOpenapi,
    left: AbortSignal,
    work: (source: OpenapiSource, options: TaskRunOptions) => Promise<Result>,
  ): Promise<Result> => {
    homeTeamId(actor, given.teamId, 'write');
    quotas.requireArrival(actor.tenantId);
    const source =
      given.url === undefined
        ? { content: given.document ?? '', address: undefined }
        : await fetched(actor, given.url, left);
    const began = performance.now();
    const bytes = 2 * source.content.length;
    try {
      return await work(source, { tenantId: actor.tenantId, deadlineMs: DEADLINE_MS, bytes, signal: left });
    } catch (error) {
      const details = given.url === undefined ? 'document' : 'url';
      if (error instanceof TaskTooLong || error instanceof TaskTooLarge) {
        const message = `The document is too large to read: ${error.message}`;
        throw new Unprocessable([{ message, details }]);
      }
      if (!(error instanceof Unprocessable)) throw error;
      throw new Unprocessable(error.problems.map((problem) => ({ details, ...problem })));
    } finally {
      quotas.add(actor.tenantId, { cpuMs: performance.now() - began });
    }
  };

  return {
    /** Checks what the others would refuse. @throws NotFound and Forbidden: who may not write sends no requests. */
    check(actor: Actor, { teamId }: Pick<GivenOpenapi, 'teamId'>): void {
      homeTeamId(actor, teamId, 'write');
    },

    /** @throws NotFound, Forbidden, QuotaReached; Unprocessable for what is no document; ThreadsBusy; the reason of `left`. */
    list(
      actor: Actor,
      { search, limit, ...given }: GivenOpenapi & { search: string; limit: number },
      left: AbortSignal,
    ): Promise<OpenapiListing> {
      return inThread(actor, given, left, (source, options) =>
        threads.run('list-openapi', { source, search, limit }, options),
      );
    },

    /** @throws the same as `list`. */
    import(
      actor: Actor,
      { wanted, ...given }: GivenOpenapi & { wanted: WantedOperation },
      left: AbortSignal,
    ): Promise<OpenapiRequest> {
      return inThread(actor, given, left, (source, options) =>
        threads.run('import-openapi', { source, wanted }, options),
      );
    },
  };
}
