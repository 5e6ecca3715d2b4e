import type * as threadWork from '../engine/execute/lane/thread-work.js';
import type { CheckedRequest, CheckOrder } from '../api/checked-request.js';
import type * as receive from '../webhooks/receive-task.js';
import type * as renderAnswer from '../webhooks/render-answer-task.js';

/** Its own module would lead here in a circle: it knows all routes, and they what uses threads. */
interface CheckTask {
  checkInThread: (order: CheckOrder) => CheckedRequest;
}

/**
 * THE list of what threads do, by name. The code of each is loaded when it is first asked for: a pure function, whose input and output
 * go through a structured clone. Other threads import the types of this file only.
 */
export const TASKS = {
  'check-request': () => (require('./check-request-task.js') as CheckTask).checkInThread,
  'receive-text': () => (require('../webhooks/receive-task.js') as typeof receive).receiveText,
  'render-answer': () => (require('../webhooks/render-answer-task.js') as typeof renderAnswer).answerInThread,
  'render-options': () =>
    (require('../engine/execute/lane/thread-work.js') as typeof threadWork).renderInThread,
  'run-rounds': () => (require('../engine/execute/lane/thread-work.js') as typeof threadWork).roundsInThread,
  'write-answer': () =>
    (require('../engine/execute/lane/thread-work.js') as typeof threadWork).answerInThread,
  'find-mentions': () =>
    (require('../engine/execute/lane/thread-work.js') as typeof threadWork).mentionsInThread,
};

/** Where threads find the list. */
export const TASKS_FILE = __filename;
