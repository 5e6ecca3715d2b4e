import express, { type Router } from 'express';
import {
  createInProcessExchange,
  type InProcessExchange,
} from '../../../platform/http/server/in-process-server.js';
import { requestId } from '../../../platform/http/server/request-id.js';

/** Of the response of a call, so many bytes are kept. */
const MOST_BYTES = 64 * 1024;

/** Calls webhooks of this process as a client does over HTTP. */
export interface OwnCalls {
  /** Serves the calls with this router, which it returns. Call it before the first one. */
  serving(router: Router): Router;
  send: InProcessExchange;
}

export function createOwnCalls(): OwnCalls {
  const app = express();
  app.disable('x-powered-by').disable('etag');
  app.use(requestId);
  return {
    serving(router) {
      app.use('/webhook', router);
      return router;
    },
    send: createInProcessExchange(app, MOST_BYTES),
  };
}
