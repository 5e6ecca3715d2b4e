import type { TaskTable } from '../platform/threads/thread-pool.js';

/**
 * THE list of thread tasks, by name; each is declared (`ThreadTasks`) beside the code that orders it. The code of a task is
 * loaded at its first use, from its own file. A task is a pure function; its input and output are structured clones.
 */
export const TASKS: TaskTable = {
  'check-request': () =>
    (require('./tasks/check-request-task.js') as typeof import('./tasks/check-request-task.js'))
      .checkInThread,
  'describe-api': () =>
    (require('./tasks/describe-api-task.js') as typeof import('./tasks/describe-api-task.js'))
      .describeInThread,
  'split-message': () =>
    (require('../web/mcp/split-message.js') as typeof import('../web/mcp/split-message.js')).splitMessage,
  'write-answer': () =>
    (
      require('../web/mcp/responses/written-response.js') as typeof import('../web/mcp/responses/written-response.js')
    ).writtenResponse,
  'receive-text': () =>
    (require('../web/webhooks/receive-task.js') as typeof import('../web/webhooks/receive-task.js'))
      .receiveText,
  'render-response': () =>
    (
      require('../web/webhooks/responses/render-response-task.js') as typeof import('../web/webhooks/responses/render-response-task.js')
    ).renderResponseInThread,
  'render-options': () =>
    (
      require('../engine/execute/scheduling/thread-work.js') as typeof import('../engine/execute/scheduling/thread-work.js')
    ).renderInThread,
  'run-rounds': () =>
    (
      require('../engine/execute/scheduling/thread-work.js') as typeof import('../engine/execute/scheduling/thread-work.js')
    ).roundsInThread,
  'write-response': () =>
    (
      require('../engine/execute/scheduling/thread-work.js') as typeof import('../engine/execute/scheduling/thread-work.js')
    ).redactResponseInThread,
  'find-mentions': () =>
    (
      require('../engine/execute/scheduling/thread-work.js') as typeof import('../engine/execute/scheduling/thread-work.js')
    ).mentionsInThread,
  'diff-stories': () =>
    (require('../stories/diff/story-diff-task.js') as typeof import('../stories/diff/story-diff-task.js'))
      .diffSnapshots,
  'merge-stories': () =>
    (require('../stories/merge/story-merge-task.js') as typeof import('../stories/merge/story-merge-task.js'))
      .mergeSnapshots,
  'update-from-step': () =>
    (
      require('../stories/steps/updates/update-story-task.js') as typeof import('../stories/steps/updates/update-story-task.js')
    ).updateFromStep,
  'compare-step-uses': () =>
    (
      require('../stories/steps/uses/compare-uses-task.js') as typeof import('../stories/steps/uses/compare-uses-task.js')
    ).compareUses,
  'merge-promotion': () =>
    (
      require('../stories/promotions/plan/promotion-merge-task.js') as typeof import('../stories/promotions/plan/promotion-merge-task.js')
    ).mergePromotion,
  'bundle-story': () =>
    (
      require('../stories/promotions/bundle/bundle-task.js') as typeof import('../stories/promotions/bundle/bundle-task.js')
    ).bundleStory,
  'read-snapshot': () =>
    (
      require('../stories/versions/read-snapshot-task.js') as typeof import('../stories/versions/read-snapshot-task.js')
    ).linesOfSnapshot,
  'render-preview': () =>
    (require('../trial/previews/preview-task.js') as typeof import('../trial/previews/preview-task.js'))
      .renderPreview,
  'render-preview-values': () =>
    (
      require('../trial/previews/preview-values-task.js') as typeof import('../trial/previews/preview-values-task.js')
    ).renderPreviewValues,
  'try-story': () =>
    (require('../trial/story/try-story-task.js') as typeof import('../trial/story/try-story-task.js'))
      .tryStoryInThread,
  'keep-run': () =>
    (require('../trial/tests/keep/keep-run-task.js') as typeof import('../trial/tests/keep/keep-run-task.js'))
      .keepRunInThread,
  'run-story-tests': () =>
    (require('../trial/tests/api/run-tests-task.js') as typeof import('../trial/tests/api/run-tests-task.js'))
      .runTestsInThread,
  'compare-run': () =>
    (require('../trial/shadows/compare-run-task.js') as typeof import('../trial/shadows/compare-run-task.js'))
      .compareRunInThread,
  'warn-of-actions': () =>
    (
      require('../stories/check/action-warnings-task.js') as typeof import('../stories/check/action-warnings-task.js')
    ).warningsOfActions,
  'list-openapi': () =>
    (require('../stories/openapi/openapi-task.js') as typeof import('../stories/openapi/openapi-task.js'))
      .listOpenapiInThread,
  'import-openapi': () =>
    (require('../stories/openapi/openapi-task.js') as typeof import('../stories/openapi/openapi-task.js'))
      .importOpenapiInThread,
  'check-story': () =>
    (require('../stories/check/check-task.js') as typeof import('../stories/check/check-task.js'))
      .checkStoryText,
  'compare-sides': () =>
    (
      require('../stories/git/sides/compare-sides-task.js') as typeof import('../stories/git/sides/compare-sides-task.js')
    ).compareSides,
  'common-state': () =>
    (
      require('../stories/git/sides/common-state-task.js') as typeof import('../stories/git/sides/common-state-task.js')
    ).commonState,
  'rename-action': () =>
    (require('../stories/rename/rename-task.js') as typeof import('../stories/rename/rename-task.js'))
      .renameInThread,
};
