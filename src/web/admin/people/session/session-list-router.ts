import { type Request, type Response, Router } from 'express';
import Joi from 'joi';
import { NotFound } from '../../../../platform/errors.js';
import { idField } from '../../../../platform/http/address/path-id.js';
import { parseQueryString } from '../../../../platform/http/address/query-string.js';
import { valid } from '../../../../platform/validation/validate.js';
import { recordDeed } from '../people-audit.js';
import { type PeopleRouteDeps, requireSession } from '../people-deps.js';
import { sendJson } from '../send-json.js';
import { presentListedSession } from './session-presenter.js';

const query = Joi.object<{ user_id?: number }>({ user_id: idField });

/** Creates the routes of a person's sessions; with `user_id`, those of a user of an Owner's tenant. */
export function createSessionListRouter(deps: PeopleRouteDeps): Router {
  const router = Router();
  router.get('/session/all', (req: Request, res: Response) => list(req, res, deps));
  router.delete('/session/all', (req: Request, res: Response) => endAll(req, res, deps));
  router.delete('/session/all/:id', (req: Request<{ id: string }>, res: Response) => endOne(req, res, deps));
  return router;
}

async function list(req: Request, res: Response, deps: PeopleRouteDeps): Promise<void> {
  const { actor, session } = await requireSession(req, res, deps);
  const listed = await deps.people.sessions.list(actor, userIdIn(req));
  sendJson(res, 200, { sessions: listed.map((each) => presentListedSession(each, session.id)) });
}

async function endAll(req: Request, res: Response, deps: PeopleRouteDeps): Promise<void> {
  const { actor } = await requireSession(req, res, deps);
  const userId = userIdIn(req) ?? actor.userId;
  const ended = await deps.people.sessions.revokeAll(actor, userId);
  await recordDeed(
    deps.audit,
    { actor, action: 'session.revoke_all', response: { id: userId } },
    { req, res },
  );
  sendJson(res, 200, { ended });
}

async function endOne(req: Request<{ id: string }>, res: Response, deps: PeopleRouteDeps): Promise<void> {
  const { actor, session } = await requireSession(req, res, deps);
  const { id: given } = req.params;
  if (!/^\d{1,15}$/.test(given)) throw new NotFound('Session');
  const id = Number(given);
  await deps.people.sessions.revoke(actor, id);
  await recordDeed(deps.audit, { actor, action: 'session.revoke', response: { id } }, { req, res });
  if (id === session.id) deps.cookies.clear(req, res);
  res.status(204).end();
}

function userIdIn(req: Request): number | undefined {
  const [, text = ''] = req.originalUrl.split('?', 2);
  return valid(query, parseQueryString(text)).user_id;
}
