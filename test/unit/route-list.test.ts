import { readFileSync } from 'node:fs';
import path from 'node:path';
import type Joi from 'joi';
import { AUDIT_ACTIONS } from '../../src/console/pages/audit/audit-actions.js';
import { actionWords } from '../../src/console/pages/home/change-words.js';
import { ROUTES } from '../../src/app/routes.js';
import { actionsOfOperation } from '../../src/people/audit/operation-names.js';
import { findMissingEndpoint, MISSING_ENDPOINTS } from '../../src/api/routing/missing-endpoints.js';
import { SERVED_ROUTES } from '../support/served-routes.js';
import { CLIENT_FILE, clientSource } from '../support/typescript-client.js';

/* Rules for the list of routes as a whole; nothing is served here. */

const paths = [...new Set(ROUTES.map(({ path }) => path))];
const methodsOf = (path: string): string[] =>
  ROUTES.filter((route) => route.path === path).map(({ method }) => method);

const nameOf = ({ method, path }: { method: string; path: string }) => `${method} ${path}`;

it('tests of the API know each route by its name in the access matrix', () => {
  expect(SERVED_ROUTES.map(nameOf).toSorted()).toEqual(ROUTES.map(nameOf).toSorted());
});

it('the TypeScript client is the one that the routes give; otherwise: npm run client', () => {
  const file = readFileSync(path.resolve(__dirname, '../..', CLIENT_FILE), 'utf8');
  expect(file === clientSource()).toBe(true);
});

const namesIn = (body: Joi.Schema | undefined): string =>
  Object.keys((body?.describe() as { keys?: object } | undefined)?.keys ?? {}).join();

/** Routes whose PUT replaces the whole value, or adds to it: a PATCH would mean something else. */
const WITHOUT_PATCH = [
  '/api/v1/global_resources/:id/append',
  '/api/v1/stories/:id/export',
  '/api/v1/stories/:id/graph',
  '/api/v1/stories/:id/presence',
  '/api/v1/stories/:id/tests',
  '/api/v1/teams/:id/digest',
  '/api/v1/teams/:id/repository',
  '/api/v2/cases/:id/actions/batch',
];

it('A11 clients: every path with PUT has PATCH, which takes the same, unless PUT replaces the whole', () => {
  const alone = paths.filter((path) => methodsOf(path).includes('put') && !methodsOf(path).includes('patch'));
  expect(alone.toSorted()).toEqual(WITHOUT_PATCH);
  const differ = ROUTES.filter(({ method }) => method === 'patch').filter((route) => {
    const put = ROUTES.find(({ method, path }) => method === 'put' && path === route.path);
    return put?.audit !== route.audit || namesIn(put?.body) !== namesIn(route.body);
  });
  expect(differ.map(({ path }) => path)).toEqual([]);
});

it('A18 clients: lists that say newest first have a place to go on from', () => {
  const without = ROUTES.filter(
    ({ summary, query, method }) =>
      method === 'get' &&
      /newest (line )?first/.test(summary) &&
      (query?.describe() as { keys?: object } | undefined)?.keys !== undefined &&
      !('cursor' in (query!.describe() as { keys: object }).keys),
  );
  // Record types are settings, which do not grow with work; of promotions few are kept. The search of runs has `before`.
  expect(without.map(({ path }) => path).toSorted()).toEqual([
    '/api/v1/promotions',
    '/api/v1/record_types',
    '/api/v1/runs',
  ]);
});

it('every route that takes a body looks for what else is wrong, or at least for its target', () => {
  const without = ROUTES.filter((route) => route.body !== undefined && !('check' in route));
  expect(without.map(({ method, path }) => `${method} ${path}`)).toEqual([]);
});

it('the console offers every change of the audit log, and has words for it', () => {
  const written = [...new Set(ROUTES.flatMap(({ audit }) => audit ?? []))].toSorted();
  const offered = Object.entries(AUDIT_ACTIONS).flatMap(([type, verbs]) =>
    verbs.map((verb) => `${type}.${verb}`),
  );
  expect(written.filter((action) => !offered.includes(action))).toEqual([]);
  expect(offered.filter((action) => actionWords(action).includes(':'))).toEqual([]);
});

/** Names that public clients list. */
const PLATFORM =
  `ActionLogsClearance ActionMemoryClearance ActionMetricsChange ActionSizeChange ActionsDisabledChange
  ActionsEventsDeletion ActionsMonitoringChange ActionsNameChange ActionsOptionsChange ActionsScheduleChange
  AnalyticsCapture AnnotationContentChange AnnotationSizeChange ArchivedStoryDeleteAll ArchivedStoryDeletion
  AuthenticationTokenCreation AuthenticationTokenDeletion BatchStoryArchive CredentialDestruction
  CredentialMovement CredentialOauthTokenRefresh CredentialReplacement CredentialSave
  CustomCertificateAuthoritySet EventDeletion ExampleStoryImport FolderCreation FolderDestruction FolderUpdate
  FormFieldAddition FormFieldRemoval FormFieldReorder FormFieldUpdate FormUpdate GlobalResourceCreation
  GlobalResourceDestruction GlobalResourceEdit GlobalResourceMovement GroupExtraction GroupFlatten
  JobsQueuedDeletion JobsRetryingDeletion LastEventReEmission LinkChange Login RecordReportCreation
  RecordReportDeletion RecordReportElementColumnReorder RecordReportElementCreation
  RecordReportElementDestruction RecordReportElementUpdate RecordReportUpdate RecordResultSetUpdate
  RecordTypeCreation RecordTypeDestruction RecordTypeUpdate RecordWriterCreation RecordWriterDestruction
  RecordWriterUpdate ResourceReplacement SsoConfigurationDefaultSet SsoConfigurationOidcSet
  SsoConfigurationSamlSet StoryActionsAutoAlign StoryActionsAutoLayout StoryActionsPositioning StoryApiChange
  StoryArchive StoryCreation StoryDescriptionChange StoryDisabledChange StoryEventsDeletion StoryImport
  StoryItemsCreation StoryItemsDestruction StoryItemsMovement StoryJobsClearance StoryKeepEventsForChange
  StoryLockedChange StoryMovement StoryNameChange StoryPriorityChange StoryRecipientAddition
  StoryRecipientRemoval StoryRecipientUpdate StoryReportingStatusChange StoryRestore StorySendToStoryChange
  StoryVersionCreate StoryVersionDeletion StoryVersionImport StoryVersionNameChange TeamCaseAddCommentReaction
  TeamCaseButtonCreation TeamCaseCommentCreation TeamCaseCommentUpdate TeamCaseCreation TeamCaseFileAttach
  TeamCaseRemoveCommentReaction TeamCaseSubscriberCreation TeamCaseSubscriberDeletion TeamCaseTagsUpdate
  TeamCaseUpdate TeamCaseWebhookUpdate TeamCasesSavedViewCreation TeamCasesSavedViewDestruction TeamCreation
  TeamDestruction TeamMemberRemoval TeamMembersAddition TeamUpdate TemplateCreation TemplateDestruction
  TemplateUpdate TenantConfigChange TenantFeatureFlagToggle TenantPlanUpgradeRequest TestStoryCreation
  TestStoryDeletion UserDeletion UserEdit UserReinvitation UsersInvitation`.split(/\s+/);

it('A5 clients: the audit log knows the names of the platform’s clients, and means actions that it has', () => {
  const actions = new Set(ROUTES.map(({ audit }) => audit));
  const elsewhere = new Set(['board.sign_in', 'session.create', 'tenant.quota', 'user.invite']);
  const ofCommandLine = new Set(['credential.set', 'resource.set']);
  const meant = PLATFORM.flatMap((name) => actionsOfOperation(name) ?? [`unknown: ${name}`]);
  const unknown = meant.filter(
    (action) =>
      !/^[A-Z]/.test(action) && ![actions, elsewhere, ofCommandLine].some((known) => known.has(action)),
  );
  expect(unknown).toEqual([]);
});

const keysOf = (schema: Joi.Schema | undefined): string[] =>
  Object.keys((schema?.describe() as { keys?: object } | undefined)?.keys ?? {});

/** A path with a value for each parameter. */
const concrete = (path: string) =>
  path.replaceAll(/:(\w+)/g, (_, name: string) => (/(?:^|_)id$/.test(name) ? '1' : 'x'));

const routes = ROUTES.map((route) => ({
  name: `${route.method.toUpperCase()} ${route.path}`,
  route,
  inSchemas: [...keysOf(route.query), ...keysOf(route.body)],
  ignored: route.ignored ?? [],
  unsupported: Object.keys(route.unsupported ?? {}),
}));

/** Updates that refuse what a read returned, with the reasons. */
const NOT_SENT_BACK: Record<string, string> = {
  'PUT /api/v1/credentials/:id':
    'public clients use /user_credentials; another mode or team would be dropped',
  'PUT /api/v1/stories/:id/export': 'the export stands inside `data`',
  'PUT /api/v1/stories/:id/versions/:version_id': 'the version stands inside `story_version`',
};

describe('the names that a route knows beside its schemas', () => {
  it('are in no schema of it, and each in one list only', () => {
    const twice = routes.flatMap(({ name, inSchemas, ignored, unsupported }) => {
      const all = [...inSchemas, ...ignored, ...unsupported];
      return all.filter((key, index) => all.indexOf(key) !== index).map((key) => `${name}: ${key}`);
    });
    expect(twice).toEqual([]);
  });

  it('have with every update what a read returns, so that clients can send back what they read', () => {
    const refused = routes
      .filter(
        ({ name, route }) => route.method === 'put' && /:\w+$/.test(route.path) && !(name in NOT_SENT_BACK),
      )
      .flatMap(({ name, route, inSchemas, ignored, unsupported }) => {
        const known = new Set([...inSchemas, ...ignored, ...unsupported]);
        return keysOf(route.docs?.response)
          .filter((key) => !known.has(key))
          .map((key) => `${name}: ${key}`);
      });
    expect(refused).toEqual([]);
  });
});

it('updates that refuse what a read returned exist', () => {
  const names = routes.map(({ name }) => name);
  expect(Object.keys(NOT_SENT_BACK).filter((name) => !names.includes(name))).toEqual([]);
});

describe('endpoints that are known to be missing', () => {
  it('are served by no route', () => {
    const served = ROUTES.filter(
      ({ method, path }) => findMissingEndpoint(method.toUpperCase(), concrete(path)) !== undefined,
    );
    expect(served.map(({ method, path }) => `${method} ${path}`)).toEqual([]);
  });

  it.each([
    ['GET', '/api/v1/skills/', '/api/v1/skills'],
    [
      'POST',
      '/api/v1/admin/sync_destinations/5/manual_sync',
      '/api/v1/admin/sync_destinations/:id/manual_sync',
    ],
    ['GET', '/api/v2/cases/5/files/6', '/api/v2/cases/:id/files/:file_id'],
    ['GET', '/api/v1/skills/a%20b', '/api/v1/skills/:name'],
  ])('%s %s is found', (method, path, expected) => {
    expect(findMissingEndpoint(method, path)?.path).toBe(expected);
  });

  it.each([
    ['DELETE', '/api/v1/admin/actions/5/delete_all_queued_jobs'],
    ['GET', '/api/v1/record_views/5/export'],
    ['PUT', '/api/v1/record_views/import'],
    ['GET', '/api/v1/workbench/1f2e-3d'],
    ['GET', '/api/v1/stories/5/change_request/ai_description'],
    ['DELETE', '/api/v1/agents/5/logs'],
    ['DELETE', '/api/v1/actions/5/events'],
  ])('A23 clients: %s %s has a reason', (method, path) => {
    expect(findMissingEndpoint(method, path)?.reason).toEqual(expect.any(String));
  });

  it.each([
    ['PUT', '/api/v2/cases/5/actions/batch'],
    ['GET', '/api/v1/tags/x'],
    ['GET', '/api/v1/stories'],
    ['GET', '/api/v1/agents/5/logs'],
  ])('%s %s is not one', (method, path) => {
    expect(findMissingEndpoint(method, path)).toBeUndefined();
  });

  it('have one line each', () => {
    const names = MISSING_ENDPOINTS.map(({ path }) => path);
    expect(new Set(names).size).toBe(names.length);
  });
});
