import { consoleAddress } from './console-place.js';
import { sendTo } from './send-to.js';

/** A role in a team. */
export type TeamRole = 'VIEWER' | 'EDITOR' | 'TEAM_ADMIN';

/** A right in a team, as the server's rules name it: to read, to change its things, to manage members and credentials. */
export type Right = 'read' | 'write' | 'manage';

/** The signed-in person, and until when. */
export interface Session {
  user: {
    id: number;
    name: string;
    email: string;
    role: string | null;
    is_owner: boolean;
    has_password: boolean;
  };
  tenant: { id: number; name: string };
  /** The teams that the person may see; an owner sees all. */
  teams: { id: number; name: string; slug: string; role: TeamRole; rights: Right[] }[];
  expires_at: string;
  /** The owners to ask for a team; empty for a person who has one, or needs none. */
  owners: { name: string; email: string }[];
  /** The path of the queue board; null for those who may not see it. */
  board_path: string | null;
}

/** A session of the same person, perhaps in another browser. */
export interface OtherSession {
  id: number;
  created_at: string;
  last_seen_at: string;
  address: string | null;
  user_agent: string | null;
  current: boolean;
}

/** The proof by which a person signs in. */
export type Proof = { email: string; password: string } | { api_key: string };

/** Returns the session; null if nobody is signed in. @throws FabulaError, or TypeError without a connection. */
export const readSession = () => sendTo<Session | null>('GET', '/session', undefined, { absent: 401 });

/** Signs in. @throws FabulaError: 401 for a wrong proof, 429 after too many. */
export const signIn = (proof: Proof) => sendTo<Session>('POST', '/session', proof);

/**
 * Signs in by a one-time link. `replace`: the session of another person in this browser ends.
 * @throws FabulaError if it was used or is too old; 409 where another person is signed in.
 */
export const signInByLink = (token: string, replace = false) =>
  sendTo<Session>('POST', '/session/link', { token, ...(replace && { replace }) });

/** The longest time that a sign-out waits for what is being saved. */
const FINISH_LIMIT_MS = 5_000;

const savings = new Set<() => Promise<boolean>>();

/** Calls `save` before the person signs out; it says whether all is saved. Returns the function that ends that. */
export function beforeSignOut(save: () => Promise<boolean>): () => void {
  savings.add(save);
  return () => savings.delete(save);
}

/** Saves what is open. Returns whether all of it was saved within five seconds. */
export async function saveAll(): Promise<boolean> {
  const late = new Promise<false>((resolve) => setTimeout(() => resolve(false), FINISH_LIMIT_MS));
  const all = Promise.all([...savings].map((save) => save()));
  return Promise.race([all.then((saved) => saved.every(Boolean)), late]);
}

/** Ends the session. */
export const signOut = () => sendTo<unknown>('DELETE', '/session');

/** Asks for a mail with which a new password is set; the response is the same for an unknown address. */
export const askForReset = (email: string) => sendTo<unknown>('POST', '/session/reset', { email });

/** A new password, by the token of a mail, or by the present password of those who have one. */
export interface NewPassword {
  token?: string;
  current_password?: string;
  password: string;
}

/** Sets a password. @throws FabulaError: 401 for a wrong token or password, 422 for one that is too short. */
export const setPassword = (given: NewPassword) => sendTo<unknown>('POST', '/session/password', given);

/** Lists the sessions of the signed-in person, or of a user of an owner's tenant. */
export const listSessions = (userId?: number) =>
  sendTo<{ sessions: OtherSession[] }>(
    'GET',
    `/session/all${userId === undefined ? '' : `?user_id=${userId}`}`,
  );

/** Ends one of these sessions. */
export const endSession = (id: number) => sendTo<unknown>('DELETE', `/session/all/${id}`);

/** Ends all sessions of a user of an owner's tenant. Returns their number. */
export const endSessionsOf = (userId: number) =>
  sendTo<{ ended: number }>('DELETE', `/session/all?user_id=${userId}`);

/**
 * Mails a person of an owner's tenant a link by which they set their password. Returns the link to pass on if the server
 * cannot mail, else null. @throws FabulaError if the mail server refuses it, or after too many.
 */
export async function sendInvitation(userId: number): Promise<string | null> {
  const made = await sendTo<{ token: string } | null>('POST', '/session/invitations', { user_id: userId });
  return made && consoleAddress(`?reset=${made.token}`);
}
