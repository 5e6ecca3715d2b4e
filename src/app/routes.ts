import {
  adminUserRoutes,
  apiKeyRoutes,
  auditRoutes,
  type AuditService,
  invitationRoutes,
  memberRoutes,
  type OperatorCheck,
  quotaRoutes,
  signInRoutes,
  teamRoutes,
  userRoutes,
} from '../people/face.js';
import {
  caseRoutes,
  type CaseServices,
  credentialRoutes,
  credentialTestRoutes,
  folderRoutes,
  mailSettingsRoutes,
  recordRoutes,
  type RecordServices,
  recordTypeRoutes,
  resourcePartRoutes,
  resourceRoutes,
  userCredentialRoutes,
} from '../data/face.js';
import { digestRoutes, doctorRoutes, queueRoutes, statusRoutes } from '../operate/face.js';
import {
  attemptRoutes,
  actionEventRoutes,
  actionLogRoutes,
  actionUpkeepRoutes,
  deadJobRoutes,
  deadLetterRoutes,
  eventRoutes,
  infoRoutes,
  runRoutes,
  runSearchRoutes,
  scheduleRoutes,
  sentRequestRoutes,
  statisticsRoutes,
  streamRoutes,
  type StreamService,
} from '../observe/face.js';
import type { ApiServices } from './services/api-services.js';
import type { RunServices } from './services/run-services.js';
import { actionRunRoutes, previewRoutes, trialRoutes } from '../trial/face.js';
import {
  agentRoutes,
  catalogueRoutes,
  changeRequestRoutes,
  checkRoutes,
  draftRoutes,
  graphRoutes,
  noteRoutes,
  presenceRoutes,
  renameRoutes,
  openapiRoutes,
  storyDraftRoutes,
  storyItemRoutes,
  storyPeopleRoutes,
  storyRoutes,
  tagRoutes,
  templateRoutes,
  versionRoutes,
} from '../stories/face.js';
import { type WebhookCallService, webhookListRoutes, type WebhookListService } from '../web/face.js';
import type { AnyRoute } from '../api/face.js';

/** All services that routes need. */
export interface RouteServices extends ApiServices, RecordServices, RunServices {
  audit: AuditService;
  cases: CaseServices;
  webhooks: WebhookListService;
  webhookCalls: WebhookCallService;
  operators: OperatorCheck;
  stream: StreamService;
}

/** THE list of the REST API's endpoints. */
export const ROUTES: readonly AnyRoute<RouteServices>[] = [
  ...auditRoutes,
  ...caseRoutes,
  ...recordRoutes,
  ...recordTypeRoutes,
  ...storyRoutes,
  ...storyItemRoutes,
  ...storyPeopleRoutes,
  ...versionRoutes,
  ...draftRoutes,
  ...storyDraftRoutes,
  ...catalogueRoutes,
  ...changeRequestRoutes,
  ...checkRoutes,
  ...renameRoutes,
  ...presenceRoutes,
  ...openapiRoutes,
  ...previewRoutes,
  ...agentRoutes,
  ...noteRoutes,
  ...graphRoutes,
  ...webhookListRoutes,
  ...actionLogRoutes,
  ...actionUpkeepRoutes,
  ...actionRunRoutes,
  ...runRoutes,
  ...attemptRoutes,
  ...trialRoutes,
  ...runSearchRoutes,
  ...scheduleRoutes,
  ...statisticsRoutes,
  ...streamRoutes,
  ...eventRoutes,
  ...actionEventRoutes,
  ...sentRequestRoutes,
  ...deadLetterRoutes,
  ...deadJobRoutes,
  ...folderRoutes,
  ...tagRoutes,
  ...templateRoutes,
  ...resourceRoutes,
  ...resourcePartRoutes,
  ...credentialRoutes,
  ...userCredentialRoutes,
  ...credentialTestRoutes,
  ...teamRoutes,
  ...memberRoutes,
  ...invitationRoutes,
  ...userRoutes,
  ...adminUserRoutes,
  ...signInRoutes,
  ...apiKeyRoutes,
  ...quotaRoutes,
  ...mailSettingsRoutes,
  ...infoRoutes,
  ...doctorRoutes,
  ...statusRoutes,
  ...queueRoutes,
  ...digestRoutes,
];
