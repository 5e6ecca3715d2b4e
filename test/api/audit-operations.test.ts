import { actionsOfOperation } from '../../src/people/audit/operation-names.js';
import { ROUTES } from '../../src/app/routes.js';
import { buildAccount } from '../support/builders.js';
import { places, useManageApi } from '../support/manage-api.js';
import { useStores } from '../support/stores.js';

const stores = useStores();
const api = useManageApi(stores);
const PATH = '/api/v1/audit_logs';

async function withWrites() {
  const { key, team } = await buildAccount(stores.db, { owner: true });
  const story = (await api.call(key, 'POST /api/v1/stories', { team_id: team.id, name: 'S' })).body;
  await api.call(key, 'POST /api/v1/folders', { team_id: team.id, name: 'F' });
  await api.call(key, `PUT /api/v1/stories/${story.id}`, { locked: true });
  const found = async (query: string) => {
    const { audit_logs: entries } = (await api.call(key, `GET ${PATH}?${query}`)).body;
    return (entries as { action: string; operation_name: string }[]).map((entry) => [
      entry.action,
      entry.operation_name,
    ]);
  };
  return { key, found };
}

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

describe('A5 clients: the audit log, asked in the words of the platform', () => {
  it('finds the entries that mean the same, under the name that was asked for', async () => {
    const { found } = await withWrites();
    const story = ['story.create', 'StoryCreation'];
    const folder = ['folder.create', 'FolderCreation'];
    expect(await found('operation_name=StoryCreation')).toEqual([story]);
    expect(await found('operation_name[]=StoryCreation&operation_name[]=FolderCreation')).toEqual([
      folder,
      story,
    ]);
    expect(await found('operation_name=story.create')).toEqual([['story.create', 'story.create']]);
    expect(await found('operation_name=story.create&operation_name=FolderCreation')).toEqual([
      folder,
      ['story.create', 'story.create'],
    ]);
  });

  it('finds all that may be a part of an action, and nothing of what is not here', async () => {
    const { found } = await withWrites();
    expect(await found('operation_name=StoryLockedChange')).toEqual([['story.update', 'story.update']]);
    expect(await found('operation_name=FormUpdate')).toEqual([]);
    expect(await found('operation_name=FormUpdate&operation_name=StoryLockedChange')).toHaveLength(1);
  });

  it.each(['Nope', 'storycreation', 'StoryCreated', 'story', 'constructor'])(
    'refuses %s by name',
    async (name) => {
      const { key } = await withWrites();
      const response = await api.call(
        key,
        `GET ${PATH}?operation_name[]=StoryCreation&operation_name[]=${name}`,
      );
      expect([response.status, places(response)]).toEqual([422, ['operation_name[1]']]);
      expect(response.body.errors[0].message).toContain(
        `"operation_name[1]" is not a known operation: ${name}.`,
      );
    },
  );

  it('knows actions that the log has, and the names of the platform’s clients', () => {
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
});
