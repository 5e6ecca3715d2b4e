import path from 'node:path';
import type { TaskTable } from '../platform/threads/thread-pool.js';
import type * as threadWork from '../engine/execute/lane/thread-work.js';
import type * as split from '../api/mcp/split-message.js';
import type * as answers from '../api/mcp/written-answer.js';
import { TemplateError } from '../language/template-error.js';
import type * as checkRequest from './check-request-task.js';
import type * as describeApi from './describe-api-task.js';
import type * as preview from '../runs/previews/preview-task.js';
import type * as tryStory from '../engine/dry-run/story/try-story-task.js';
import type * as actionWarnings from '../stories/check/action-warnings-task.js';
import type * as storyCheck from '../stories/check/check-task.js';
import type * as storyDiff from '../stories/diff/story-diff-task.js';
import type * as storyMerge from '../stories/merge/story-merge-task.js';
import type * as readSnapshot from '../stories/versions/read-snapshot-task.js';
import type * as receive from '../webhooks/receive-task.js';
import type * as renderResponse from '../webhooks/responses/render-response-task.js';

/**
 * THE list of thread tasks, by name; each is declared (`ThreadTasks`) beside the code that orders it. The code of a task is
 * loaded at its first use, from its own file. A task is a pure function; its input and output are structured clones.
 */
export const TASKS: TaskTable = {
  'check-request': () => (require('./check-request-task.js') as typeof checkRequest).checkInThread,
  'describe-api': () => (require('./describe-api-task.js') as typeof describeApi).describeInThread,
  'split-message': () => (require('../api/mcp/split-message.js') as typeof split).splitMessage,
  'write-answer': () => (require('../api/mcp/written-answer.js') as typeof answers).writtenAnswer,
  'receive-text': () => (require('../webhooks/receive-task.js') as typeof receive).receiveText,
  'render-response': () =>
    (require('../webhooks/responses/render-response-task.js') as typeof renderResponse).responseInThread,
  'render-options': () =>
    (require('../engine/execute/lane/thread-work.js') as typeof threadWork).renderInThread,
  'run-rounds': () => (require('../engine/execute/lane/thread-work.js') as typeof threadWork).roundsInThread,
  'write-response': () =>
    (require('../engine/execute/lane/thread-work.js') as typeof threadWork).responseInThread,
  'find-mentions': () =>
    (require('../engine/execute/lane/thread-work.js') as typeof threadWork).mentionsInThread,
  'diff-stories': () => (require('../stories/diff/story-diff-task.js') as typeof storyDiff).diffSnapshots,
  'merge-stories': () =>
    (require('../stories/merge/story-merge-task.js') as typeof storyMerge).mergeSnapshots,
  'read-snapshot': () =>
    (require('../stories/versions/read-snapshot-task.js') as typeof readSnapshot).linesOfSnapshot,
  'render-preview': () => (require('../runs/previews/preview-task.js') as typeof preview).renderPreview,
  'try-story': () =>
    (require('../engine/dry-run/story/try-story-task.js') as typeof tryStory).tryStoryInThread,
  'warn-of-actions': () =>
    (require('../stories/check/action-warnings-task.js') as typeof actionWarnings).warningsOfActions,
  'check-story': () => (require('../stories/check/check-task.js') as typeof storyCheck).checkStoryText,
};

/** For pools: the file that each thread runs (in the build it stands beside the bundles), and the errors that tasks throw. */
export const THREADS = {
  file: path.join(__dirname, `thread${path.extname(__filename)}`),
  errors: { TemplateError },
};
