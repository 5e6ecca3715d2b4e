import type { UnreportedCredential } from '../../../data/face.js';
import { timestamp } from '../../../platform/time/timestamp.js';
import type { Notice } from '../outbox/notice.js';
import { aboutStory, type NotifiedStory } from './notify-story.js';

/** The facts of a notice about a credential that a person must connect. */
export interface ReconnectFacts {
  credential: UnreportedCredential;
  story: NotifiedStory;
  /** The actions of the story that name it. */
  actions: readonly { id: number; name: string }[];
  /** Prefix of the addresses in it, without a trailing slash. */
  baseUrl: string;
}

/** Returns the notice that tells a story of a credential that a person must connect. */
export function reconnectNotice({ credential, story, actions, baseUrl }: ReconnectFacts): Notice {
  const { id, name, reason, since } = credential;
  const about = aboutStory(story, { subject: `Connect the credential ${name}`, details: '', baseUrl });
  const details = `${baseUrl}/api/v1/user_credentials/${id}`;
  return {
    ...about,
    links: { ...about.links, details },
    kind: 'reconnect',
    title: `The credential "${name}" has needed to be connected since ${timestamp(since)}: ${reason}.`,
    lines: [
      `These actions of the story "${story.name}" wait for it, for up to three days:`,
      ...actions.map((action) => `- ${action.name}`),
      '',
      'Connect it on its page in the console. API URL:',
    ],
    actions: actions.map((action) => ({
      ...action,
      kind: 'reconnect',
      count: 0,
      error: reason,
      first_at: timestamp(since),
      last_at: null,
    })),
  };
}
