import type { Response } from 'express';
import type { FoundSession, PeopleServices } from '../../../../people/face.js';
import { Unauthorized } from '../../../../platform/errors.js';
import { sendJson } from '../send-json.js';
import { presentOwnSession } from './session-presenter.js';

/** Responds with the session of the request. @throws Unauthorized if its user is gone. */
export async function sendOwnSession(
  res: Response,
  found: FoundSession,
  { people, status }: { people: Pick<PeopleServices, 'profile' | 'isOperator'>; status: number },
): Promise<void> {
  const [profile, isOperator] = await Promise.all([
    people.profile(found.actor),
    people.isOperator(found.actor),
  ]);
  if (profile === undefined) throw new Unauthorized('Sign in first');
  sendJson(res, status, presentOwnSession(found, profile, isOperator));
}
