import { createAuditService, createOperatorCheck } from '../../people/face.js';
import {
  type CaseDatabase,
  createCaseServices,
  createRecordServices,
  noteAttachedRecord,
  tellOfCase,
} from '../../data/face.js';
import type { HttpClient } from '../../platform/outbound/http-exchange.js';
import type { StreamService } from '../../observe/face.js';
import {
  type CallLog,
  createWebhookCallService,
  createWebhookListService,
  type OwnCalls,
} from '../../web/face.js';
import { createApiServices } from './api-services.js';
import type { CoreServices } from './core-services.js';
import type { RouteServices } from '../routes.js';
import { createRunServices } from './run-services.js';
import type { TrialServices } from './trial-services.js';

/** Parts that the services share, whichever database they read. */
interface Shared {
  http: HttpClient;
  log: CallLog;
  stream: StreamService;
  trials: TrialServices;
  ownCalls: Pick<OwnCalls, 'send'>;
}

/** Creates the services of all routes, over the database of `core`. */
export function createRouteServices(core: CoreServices, shared: Shared): RouteServices {
  const { database, loggers, liveEvents } = core;
  const cases: CaseDatabase = {
    read: (work) => database.read(work),
    transaction: (work) => database.transaction(work),
    liveEvents,
  };
  const { http, log, stream, trials, ownCalls } = shared;
  const manage = createApiServices(core, http);
  return {
    audit: createAuditService({ database }),
    cases: createCaseServices({ database: cases }),
    ...createRecordServices({
      database,
      quotas: core.quotas,
      onAttached: noteAttachedRecord,
      afterAttached({ tenantId }, { teamId }, caseIds) {
        for (const id of caseIds) tellOfCase(cases, { id, tenantId, teamId });
      },
    }),
    ...manage,
    operators: createOperatorCheck(database),
    ...createRunServices(core, trials),
    stream,
    webhookCalls: createWebhookCallService({ agents: manage.agents, calls: ownCalls }),
    webhooks: createWebhookListService({ database, agents: manage.agents, log, logger: loggers.webhooks }),
  };
}
