/* The only file of this room that others import. */
export {
  databaseNowMs,
  deleteMemory,
  lockMemories,
  lockMemory,
  saveMemory,
} from './activity/memory-store.js';
export { DELETE_DELIVERIES, RESTING, wakeRestingOf } from './activity/story-deliveries-store.js';
export { agentResponse, liveAgentExample, presentAgent } from './agents/agent-presenter.js';
export { agentRoutes } from './agents/agent-routes.js';
export { exportWithoutSecrets } from './agents/hidden-options.js';
export type { AgentQuery, AgentService } from './agents/agent-service.js';
export { inputOptions } from './agents/mentions/action-inputs.js';
export { findMentionsIn } from './agents/mentions/action-mentions.js';
export { createMentionedBy } from './agents/mentions/mentioned-by.js';
export type { AgentView } from './agents/agent-view.js';
export { draftField, inputsField } from './agents/write/agent-body.js';
export { monitoringIn } from './agents/write/agent-extra.js';
export { catalogueRoutes } from './catalogue/catalogue-routes.js';
export { presentReports } from './check/check-presenter.js';
export { type FileReport, hasFailedCheck } from './check/check-report.js';
export { checkRoutes } from './check/check-routes.js';
export { checkReportText } from './check/check-text.js';
export { CHECKS_HERE } from './check/checks-here.js';
export { createStoryChecker, readExport } from './check/story-checker.js';
export { changesBetween, joinedPath, type ValueChange } from './diff/value-changes.js';
export { draftRoutes } from './drafts/routes/draft-routes.js';
export { findDraftNames } from './drafts/draft-store.js';
export { storyDraftRoutes } from './drafts/routes/story-draft-routes.js';
export { storyOrDraft } from './drafts/story-or-draft.js';
export {
  createStoryChanges,
  followStoryChanges,
  NO_STORY_CHANGES,
  type StoryChanges,
} from './edit/story-changes.js';
export { exportStory } from './export/export.js';
export type { StoryExport } from './export/export-form.js';
export { diffStories, type StoryDifference } from './diff/story-diff.js';
export { describePlace, describeValue } from './diff/describe-value.js';
export { conflictWords, FILE_SIDES } from './merge/conflict-words.js';
export { changedLines, differencesText } from './files/difference-text.js';
export { createFileNames } from './files/file-names.js';
export { agentsOf, withKnownGuids } from './files/known-actions.js';
export { mergeExports } from './files/merge-exports.js';
export { lostText, portableStory, withHiddenTexts } from './files/portable-story.js';
export { type FilesForm, filesOfStory, stemOfStory, storyOfFiles } from './files/story-files.js';
export type { MergeConflict } from './merge/conflict-book.js';
export { type StoryFile, valueOfFile } from './files/file-text.js';
export { type FileProblem, problemText, StoryFilesError } from './files/story-files-error.js';
export { assembleGraph } from './graph/assemble-graph.js';
export { type ActionInStory, actionIn, findActionInStory } from './graph/find-action.js';
export { graphRoutes } from './graph/graph-routes.js';
export { graphOfText, graphText } from './graph/graph-text.js';
export { startAgentOf } from './graph/start-agent.js';
export {
  findStoryNamesOfTeam,
  findWebhookGraphs,
  listWebhooks,
  type LoadedGraph,
  loadedVersion,
} from './graph/story-graph-store.js';
export type { AgentNode, LinkKind, StoryGraph } from './graph/story-graph.js';
export { createStoryGraphs, type StoryGraphs } from './graph/story-graphs.js';
export { allStories, checkExport } from './import/check-export.js';
export { givenAddress, pathProblem, WEBHOOK_TYPE } from './import/import-address.js';
export { importBodyOf } from './import/import-body.js';
export { LIMITS } from './import/import-limits.js';
export type { ImportRequest } from './import/import-request.js';
export { planImport } from './import/plan/plan-import.js';
export type { AgentPlan, StoryPlan } from './import/plan/story-plan.js';
export { requiredRecordTypes } from './import/plan/required-record-types.js';
export { noteRoutes } from './notes/note-routes.js';
export { presenceRoutes } from './presence/presence-routes.js';
export { namesCalledBy } from './promotions/bundle/named-needs.js';
export { promotionRoutes } from './promotions/routes/promotion-routes.js';
export { renameRoutes } from './rename/rename-routes.js';
export { openapiRoutes } from './openapi/openapi-routes.js';
export { changeRequestRoutes } from './requests/change-request-routes.js';
export { repositoryRoutes } from './git/api/repository-routes.js';
export { createRepositorySyncs } from './git/repository-loop.js';
export { findTroubledRepositories, type TroubledRepository } from './git/repository-store.js';
export { CronError } from './schedules/cron-times.js';
export {
  ANY_SCHEDULE_DUE,
  type DueSchedule,
  findScheduledAgents,
  findSkippingSchedules,
  findTroubledSchedules,
  lockDueSchedules,
  moveSchedules,
  type ScheduledAgent,
  scheduleLagSeconds,
  type SkippingSchedule,
  type SkipReason,
  type TroubledSchedule,
} from './schedules/due-schedule-store.js';
export { nextTime, type SpanTimes, timesBetween } from './schedules/next-time.js';
export type { Schedule } from './schedules/parse-schedule.js';
export {
  findListedSchedules,
  type ListedSchedule,
  listScheduleIds,
} from './schedules/schedule-list-store.js';
export { deleteSchedules, pauseSchedule } from './schedules/schedule-store.js';
export { findAnsweringOwners } from './settings/answering-owner-store.js';
export { addressField, isWebAddress, MOST_WEB_RECIPIENTS } from './settings/recipient-field.js';
export { findRecipientSecret } from './settings/recipient-secret-store.js';
export { RECORD_TYPE } from './settings/record-settings.js';
export { storyPeopleRoutes } from './settings/story-people-routes.js';
export { readStorySettings } from './settings/story-settings.js';
export { stepRoutes } from './steps/step-routes.js';
export { storyItemRoutes } from './story/routes/story-item-routes.js';
export { findStoryPlaces, type StoryOwner } from './story/story-place-store.js';
export { presentImportedStory, presentListedStory } from './story/routes/story-presenter.js';
export { IMPORT_CHECKS } from './story/import-checks.js';
export { storyRoutes } from './story/routes/story-routes.js';
export { createStoryService } from './story/story-service.js';
export type { StoryRecord } from './story/story-store.js';
export { visibleStory } from './story/visible-story.js';
export { tagRoutes } from './tags/tag-routes.js';
export { type AnswerRule, answerRule, trialRules } from './tests/answer-rule.js';
export {
  DEFAULT_TEST_TIME,
  type StoryTest,
  TEST_KINDS,
  TEST_LIMITS,
  type TestExpectation,
  type TestKind,
  TESTS_KEY,
} from './tests/story-test.js';
export {
  storyTestExample,
  storyTestRoutes,
  storyTestSchema,
} from './tests/story-test-routes.js';
export type { StoryTestService } from './tests/story-test-service.js';
export { testProblems, testsIn, testsProblems } from './tests/test-form.js';
export type { JudgeStory, TestsVerdict } from './tests/test-gate.js';
export { asMatcher, exactly, type MatchedType, type ValueMatcher } from './tests/value-matcher.js';
export { templateRoutes } from './templates/template-routes.js';
export { lastChangeBefore, lastChangesBefore, type StoryChangeRecord } from './versions/last-change-store.js';
export { versionRoutes } from './versions/version-routes.js';
export { createStoryServices, type StoryServices } from './story-services.js';
