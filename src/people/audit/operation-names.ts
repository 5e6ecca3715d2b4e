type Names = Readonly<Record<string, readonly string[]>>;

/** Names of operations on the platform, each with the actions that mean the same. */
const SAME: Names = {
  ActionLogsClearance: ['agent.remove_logs'],
  ActionMemoryClearance: ['agent.clear_memory'],
  ActionsEventsDeletion: ['agent.remove_events'],
  AnnotationContentChange: ['note.update'],
  AuthenticationTokenCreation: ['api_key.create'],
  AuthenticationTokenDeletion: ['api_key.revoke'],
  BatchStoryArchive: ['story.delete'],
  CredentialDestruction: ['credential.delete'],
  CredentialSave: ['credential.create', 'credential.update', 'credential.set'],
  EventDeletion: ['agent.remove_events'],
  FolderCreation: ['folder.create'],
  FolderDestruction: ['folder.delete'],
  FolderUpdate: ['folder.update'],
  GlobalResourceCreation: ['resource.create'],
  GlobalResourceDestruction: ['resource.delete'],
  GlobalResourceEdit: [
    'resource.update',
    'resource.append',
    'resource.remove',
    'resource.replace',
    'resource.set',
  ],
  LastEventReEmission: ['event.reemit'],
  Login: ['session.create', 'board.sign_in'],
  RecordResultSetUpdate: ['record.update'],
  RecordTypeCreation: ['record_type.create'],
  RecordTypeDestruction: ['record_type.delete'],
  RecordTypeUpdate: ['record_type.update'],
  StoryArchive: ['story.delete'],
  StoryCreation: ['story.create'],
  StoryImport: ['story.import', 'story.replace'],
  StoryItemsCreation: ['agent.create', 'note.create'],
  StoryItemsDestruction: ['agent.delete', 'note.delete'],
  StoryRecipientAddition: ['story.add_recipient'],
  StoryRecipientRemoval: ['story.remove_recipient'],
  StoryVersionCreate: ['story_version.create'],
  StoryVersionDeletion: ['story_version.delete'],
  StoryVersionImport: ['story_version.restore'],
  StoryVersionNameChange: ['story_version.update'],
  TeamCaseButtonCreation: ['case_action.create', 'case_action.replace'],
  TeamCaseCommentCreation: ['case_comment.create'],
  TeamCaseCommentUpdate: ['case_comment.update'],
  TeamCaseCreation: ['case.create'],
  TeamCaseSubscriberCreation: ['case_subscriber.create', 'case_subscriber.create_batch'],
  TeamCaseSubscriberDeletion: ['case_subscriber.delete'],
  TeamCaseUpdate: ['case.update'],
  TeamCreation: ['team.create'],
  TeamDestruction: ['team.delete'],
  TeamMemberRemoval: ['member.remove'],
  TeamMembersAddition: ['member.add'],
  TeamUpdate: ['team.update'],
  TemplateCreation: ['template.create'],
  TemplateDestruction: ['template.delete'],
  TemplateUpdate: ['template.update'],
  TenantConfigChange: ['tenant.mail_settings', 'tenant.quota', 'tenant.test_settings'],
  TestStoryCreation: ['draft.create'],
  TestStoryDeletion: ['draft.delete'],
  UserDeletion: ['user.deactivate'],
  UserEdit: ['user.update'],
  UsersInvitation: ['user.create', 'user.invite'],
};

/** Actions that may be an operation of the platform: the log does not keep which fields were changed. */
const WIDER: readonly { actions: readonly string[]; names: readonly string[] }[] = [
  {
    actions: ['story.update', 'story.disable', 'story.graph'],
    names: [
      'StoryApiChange',
      'StoryDescriptionChange',
      'StoryDisabledChange',
      'StoryKeepEventsForChange',
      'StoryLockedChange',
      'StoryMovement',
      'StoryNameChange',
      'StoryPriorityChange',
      'StoryReportingStatusChange',
      'StorySendToStoryChange',
    ],
  },
  {
    actions: ['agent.update', 'story.graph'],
    names: [
      'ActionMetricsChange',
      'ActionSizeChange',
      'ActionsDisabledChange',
      'ActionsMonitoringChange',
      'ActionsNameChange',
      'ActionsOptionsChange',
      'ActionsScheduleChange',
      'LinkChange',
      'StoryActionsAutoAlign',
      'StoryActionsAutoLayout',
      'StoryActionsPositioning',
    ],
  },
  { actions: ['agent.update', 'note.update', 'story.graph'], names: ['StoryItemsMovement'] },
  { actions: ['note.update', 'story.graph'], names: ['AnnotationSizeChange'] },
  { actions: ['story.add_recipient', 'story.remove_recipient'], names: ['StoryRecipientUpdate'] },
  { actions: ['credential.update'], names: ['CredentialMovement'] },
  { actions: ['resource.update'], names: ['GlobalResourceMovement'] },
  { actions: ['case.update'], names: ['TeamCaseTagsUpdate'] },
];

/** Operations of the platform that nobody can do here: no entry has them. */
const NEVER = new Set(
  `AnalyticsCapture ArchivedStoryDeleteAll ArchivedStoryDeletion CredentialOauthTokenRefresh CredentialReplacement
  CustomCertificateAuthoritySet ExampleStoryImport FormFieldAddition FormFieldRemoval FormFieldReorder FormFieldUpdate
  FormUpdate GroupExtraction GroupFlatten JobsQueuedDeletion JobsRetryingDeletion RecordReportCreation
  RecordReportDeletion RecordReportElementColumnReorder RecordReportElementCreation RecordReportElementDestruction
  RecordReportElementUpdate RecordReportUpdate RecordWriterCreation RecordWriterDestruction RecordWriterUpdate
  ResourceReplacement SsoConfigurationDefaultSet SsoConfigurationOidcSet SsoConfigurationSamlSet StoryEventsDeletion
  StoryJobsClearance StoryRestore TeamCaseAddCommentReaction TeamCaseFileAttach TeamCaseRemoveCommentReaction
  TeamCaseWebhookUpdate TeamCasesSavedViewCreation TeamCasesSavedViewDestruction TenantFeatureFlagToggle
  TenantPlanUpgradeRequest UserReinvitation`.split(/\s+/),
);

const MEANT = new Map<string, readonly string[]>([
  ...Object.entries(SAME),
  ...WIDER.flatMap(({ actions, names }) => names.map((name) => [name, actions] as const)),
]);

/**
 * Returns the actions of the audit log that an operation's name asks for: an action of our own (`story.create`), or the
 * platform's name (`StoryCreation`). A name that no entry has stands for itself. Undefined for an unknown name.
 */
export function actionsOfOperation(name: string): readonly string[] | undefined {
  if (/^[a-z_]+\.[a-z_]+$/.test(name) || NEVER.has(name)) return [name];
  return MEANT.get(name);
}

/** Returns the name of an entry's operation: that of the asked names which means the same, else the action. */
export function operationNameOf(action: string, asked: readonly string[] = []): string {
  return asked.find((name) => SAME[name]?.includes(action) === true) ?? action;
}
