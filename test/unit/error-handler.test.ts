import { toAppError } from '../../src/api/response/error-handler.js';
import { CommitUnknown } from '../../src/platform/mysql/db-errors.js';

it.each([
  ['a lost connection', Object.assign(new Error('lost'), { code: 'PROTOCOL_CONNECTION_LOST' }), 503],
  ['a COMMIT without a response', new CommitUnknown(new Error('lost')), 504],
])('%s: only 503 says that nothing was changed', (_what, error, status) => {
  expect(toAppError(error)?.status).toBe(status);
});
