import { type Request, type Response, Router } from 'express';
import Joi from 'joi';
import type { Invitations } from '../../../people/face.js';
import { idField } from '../../../platform/http/address/path-id.js';
import { recordDeed } from './people-audit.js';
import { mailedHome } from './people-url.js';
import { type PeopleRouteDeps, requireSession } from './people-deps.js';
import { readJsonInput } from './read-input.js';
import { sendJson } from './send-json.js';

const inviteBody = Joi.object<{ user_id: number }>({ user_id: idField.required() });

export interface InvitationRouterDeps extends PeopleRouteDeps {
  invitations: Invitations;
}

/**
 * Creates the route by which an Owner gives a person the link to set a first password: by mail (204), or without a mail
 * server as a token that the Owner passes on.
 */
export function createInvitationRouter(deps: InvitationRouterDeps): Router {
  const router = Router();
  router.post('/session/invitations', (req: Request, res: Response) => invite(req, res, deps));
  return router;
}

async function invite(req: Request, res: Response, deps: InvitationRouterDeps): Promise<void> {
  const { actor } = await requireSession(req, res, deps);
  const { user_id: userId } = await readJsonInput(req, inviteBody);
  const token = await deps.invitations.send(actor, userId, mailedHome(req, deps.mailedConsole));
  await recordDeed(deps.audit, { actor, action: 'user.invite', response: { id: userId } }, { req, res });
  if (token === undefined) res.status(204).end();
  else sendJson(res, 200, { token });
}
