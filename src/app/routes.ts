import { auditRoutes } from '../access/audit/audit-routes.js';
import type { AuditService } from '../access/audit/audit-service.js';
import { caseRoutes } from '../cases/case-routes.js';
import type { CaseServices } from '../cases/case-services.js';
import { credentialRoutes } from '../credentials/credential-routes.js';
import { credentialTestRoutes } from '../credentials/testing/credential-test-routes.js';
import { userCredentialRoutes } from '../credentials/user-credential-routes.js';
import { doctorRoutes } from '../doctor/doctor-routes.js';
import { digestRoutes } from '../monitoring/digest/digest-routes.js';
import { queueRoutes } from '../monitoring/queues/queue-routes.js';
import { statusRoutes } from '../monitoring/status/status-routes.js';
import { deadJobRoutes } from '../runs/dead-letters/dead-job-routes.js';
import { deadLetterRoutes } from '../runs/dead-letters/dead-letter-routes.js';
import { folderRoutes } from '../folders/folder-routes.js';
import { mailSettingsRoutes } from '../mails/mail-settings-routes.js';
import type { ManageServices } from './api-services.js';
import { quotaRoutes } from '../access/quotas/quota-routes.js';
import { recordRoutes } from '../records/record-routes.js';
import type { RecordServices } from '../records/record-services.js';
import { recordTypeRoutes } from '../records/types/record-type-routes.js';
import { resourcePartRoutes } from '../resources/resource-part-routes.js';
import { resourceRoutes } from '../resources/resource-routes.js';
import type { RunServices } from './run-services.js';
import { actionRunRoutes } from '../runs/actions/action-run-routes.js';
import { actionUpkeepRoutes } from '../runs/actions/action-upkeep-routes.js';
import { actionLogRoutes } from '../runs/logs/action-log-routes.js';
import { actionEventRoutes } from '../runs/events/action-event-routes.js';
import { eventRoutes } from '../runs/events/event-routes.js';
import { sentRequestRoutes } from '../runs/sent-requests/sent-request-routes.js';
import { previewRoutes } from '../runs/previews/preview-routes.js';
import { trialRoutes } from '../runs/trials/trial-routes.js';
import { runRoutes } from '../runs/run-routes.js';
import { streamRoutes } from '../runs/stream/stream-routes.js';
import type { StreamService } from '../runs/stream/stream-service.js';
import { scheduleRoutes } from '../runs/schedules/schedule-routes.js';
import { runSearchRoutes } from '../runs/search/run-search-routes.js';
import { statisticsRoutes } from '../runs/statistics/statistics-routes.js';
import { agentRoutes } from '../stories/agents/agent-routes.js';
import { graphRoutes } from '../stories/graph/graph-routes.js';
import { noteRoutes } from '../stories/notes/note-routes.js';
import { checkRoutes } from '../stories/check/check-routes.js';
import { catalogueRoutes } from '../stories/catalogue/catalogue-routes.js';
import { storyItemRoutes } from '../stories/story-item-routes.js';
import { storyPeopleRoutes } from '../stories/story-people-routes.js';
import { storyRoutes } from '../stories/story-routes.js';
import { draftRoutes } from '../stories/drafts/draft-routes.js';
import { storyDraftRoutes } from '../stories/drafts/story-draft-routes.js';
import { changeRequestRoutes } from '../stories/requests/change-request-routes.js';
import { tagRoutes } from '../stories/tags/tag-routes.js';
import { templateRoutes } from '../stories/templates/template-routes.js';
import { versionRoutes } from '../stories/versions/version-routes.js';
import { webhookListRoutes } from '../webhooks/calls/webhook-list-routes.js';
import type { WebhookListService } from '../webhooks/calls/webhook-list-service.js';
import { invitationRoutes } from '../access/tenants/teams/invitation-routes.js';
import { infoRoutes } from '../runs/info/info-routes.js';
import { adminUserRoutes } from '../access/tenants/admin-user-routes.js';
import { signInRoutes } from '../access/tenants/sign-in-routes.js';
import { apiKeyRoutes } from '../access/tenants/keys/api-key-routes.js';
import { memberRoutes } from '../access/tenants/teams/member-routes.js';
import { teamRoutes } from '../access/tenants/teams/team-routes.js';
import { userRoutes } from '../access/tenants/user-routes.js';
import type { Operators } from '../access/people/operator.js';
import type { AnyRoute } from '../api/route.js';

/** All services that routes need. */
export interface ApiServices extends ManageServices, RecordServices, RunServices {
  audit: AuditService;
  cases: CaseServices;
  webhooks: WebhookListService;
  operators: Operators;
  stream: StreamService;
}

/** THE list of the REST API's endpoints. */
export const ROUTES: readonly AnyRoute<ApiServices>[] = [
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
  ...previewRoutes,
  ...agentRoutes,
  ...noteRoutes,
  ...graphRoutes,
  ...webhookListRoutes,
  ...actionLogRoutes,
  ...actionUpkeepRoutes,
  ...actionRunRoutes,
  ...runRoutes,
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
