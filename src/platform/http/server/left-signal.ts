import type { ServerResponse } from 'node:http';
import { BadRequest } from '../../errors.js';

/** Returns a signal that aborts, with BadRequest, if the client leaves before it has the whole response. */
export function leftSignal(response: ServerResponse): AbortSignal {
  const left = new AbortController();
  const onClose = () => {
    if (!response.writableFinished) left.abort(new BadRequest('The client left before the answer'));
  };
  if (response.closed || response.destroyed) onClose();
  else response.once('close', onClose);
  return left.signal;
}
