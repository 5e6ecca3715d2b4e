/** An operation of the API that assistants may call. */
export interface OfferedOperation {
  /** The operation id of the OpenAPI document. */
  operationId: string;
  /** The effect of the tool if its method says another one: a GET reads, a DELETE destroys. */
  hints?: ToolHints;
  /** Its response is changed and sent back whole: it is not shortened, and in a list no entry is. */
  isSentBack?: boolean;
}

/** The effects that a client may ask its user about before it calls a tool. */
export interface ToolHints {
  /** Changes or removes what is there; a new thing beside the others destroys nothing. */
  destructive?: boolean;
  /** Actions of stories run, which reach other systems. */
  reachesOut?: boolean;
}

const REPLACES = { destructive: true };
const ONLY_LOOKS = { destructive: false };
const RUNS = { destructive: false, reachesOut: true };

/** THE list of tools: what one needs to understand stories, to change them, to see what they did, and to work on cases. */
export const OFFERED_OPERATIONS: readonly OfferedOperation[] = [
  { operationId: 'getMe' },
  { operationId: 'listTeams' },
  { operationId: 'listFolders' },
  { operationId: 'listStories' },
  { operationId: 'getStory' },
  { operationId: 'createStory' },
  { operationId: 'exportStory', isSentBack: true },
  { operationId: 'checkStory', hints: ONLY_LOOKS },
  { operationId: 'renderTemplate', hints: ONLY_LOOKS },
  { operationId: 'renamePreview', hints: ONLY_LOOKS, isSentBack: true },
  { operationId: 'importStory', hints: REPLACES },
  { operationId: 'updateStory', hints: REPLACES },
  { operationId: 'deleteStory' },
  { operationId: 'getStoryGraph', isSentBack: true },
  { operationId: 'replaceStoryGraph', hints: REPLACES },
  { operationId: 'listStoryActions', isSentBack: true },
  { operationId: 'getAction', isSentBack: true },
  { operationId: 'createAction' },
  { operationId: 'updateAction', hints: REPLACES },
  { operationId: 'deleteAction' },
  { operationId: 'createTrial', hints: RUNS },
  { operationId: 'dryRunAction', hints: RUNS },
  { operationId: 'runAction', hints: RUNS },
  { operationId: 'listActionLogs' },
  { operationId: 'listStoryVersions' },
  { operationId: 'getStoryVersionDiff' },
  { operationId: 'restoreStoryVersion', hints: REPLACES },
  { operationId: 'createDraft' },
  { operationId: 'compareDraft' },
  { operationId: 'bringDraftUpToDate', hints: REPLACES },
  { operationId: 'publishDraft', hints: REPLACES },
  { operationId: 'listStoryRuns' },
  { operationId: 'getStoryRun' },
  { operationId: 'startStoryRun', hints: RUNS },
  { operationId: 'cancelStoryRun', hints: REPLACES },
  { operationId: 'listEvents' },
  { operationId: 'getEvent' },
  { operationId: 'reemitEvent', hints: RUNS },
  { operationId: 'listWebhooks' },
  { operationId: 'getWebhook' },
  { operationId: 'callWebhook', hints: RUNS },
  { operationId: 'getStatistics' },
  { operationId: 'listDeadLetters' },
  { operationId: 'getDeadLetter' },
  { operationId: 'retryDeadLetter', hints: RUNS },
  { operationId: 'deleteDeadLetter' },
  { operationId: 'listAgentTypes' },
  { operationId: 'listFilters' },
  { operationId: 'listFunctions' },
  { operationId: 'listGlobalResources' },
  { operationId: 'getGlobalResource' },
  { operationId: 'listCredentials' },
  { operationId: 'listNotes', isSentBack: true },
  { operationId: 'createNote' },
  { operationId: 'updateNote', hints: REPLACES },
  { operationId: 'listCases' },
  { operationId: 'getCase' },
  { operationId: 'createCase' },
  { operationId: 'updateCase', hints: REPLACES },
  { operationId: 'listCaseActivities' },
  { operationId: 'createCaseComment' },
  { operationId: 'linkCases' },
  { operationId: 'createCaseRecord' },
  { operationId: 'listRecordTypes' },
  { operationId: 'listRecords' },
  { operationId: 'getRecord' },
  { operationId: 'createRecord' },
  { operationId: 'updateRecord', hints: REPLACES },
  { operationId: 'listAuditLogs' },
];

/** For the assistant that uses the tools. */
export const INSTRUCTIONS = `Fabula runs stories: graphs of actions, joined by links. A webhook, a schedule or a request starts a run; each action turns events into events.

Stories write records, and people work on cases.

To understand a story, export it. To see why a run went wrong, look at its events, the log of the action and the dead letters. To change a story, change single actions, or export it, edit that and import it with mode versionReplace: actions continue by their guids. Lists have pages: mind meta.count. A long answer is shortened and says so in "shortened": choose "fields", or give "max_chars". Credentials are named in templates; their values cannot be read.`;
