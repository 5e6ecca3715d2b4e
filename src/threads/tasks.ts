import type * as threadWork from '../engine/thread-work.js';
import type * as checkRequest from '../http/check-request-task.js';
import type * as receive from '../webhooks/receive-task.js';
import type * as renderAnswer from '../webhooks/render-answer-task.js';

/**
 * THE list of what threads do, by name. The code of each is loaded when it is first asked for: a pure function, whose input and output
 * go through a structured clone. Other threads import the types of this file only.
 */
export const TASKS = {
  'check-request': () => (require('../http/check-request-task.js') as typeof checkRequest).checkInThread,
  'receive-text': () => (require('../webhooks/receive-task.js') as typeof receive).receiveText,
  'render-answer': () => (require('../webhooks/render-answer-task.js') as typeof renderAnswer).answerInThread,
  'render-options': () => (require('../engine/thread-work.js') as typeof threadWork).renderInThread,
  'run-rounds': () => (require('../engine/thread-work.js') as typeof threadWork).roundsInThread,
  'write-answer': () => (require('../engine/thread-work.js') as typeof threadWork).answerInThread,
  'find-mentions': () => (require('../engine/thread-work.js') as typeof threadWork).mentionsInThread,
};

/** Where threads find the list. */
export const TASKS_FILE = __filename;
