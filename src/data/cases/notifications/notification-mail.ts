import type { Mail } from '../../../platform/outbound/mail/mail.js';
import type { ActivityType, CaseActivity, CaseUser, StoredCase } from '../case.js';

/** The sentence about each type of activity; `%` stands for the activity's value. */
const SENTENCES: Record<ActivityType, string> = {
  CREATED: 'opened the case',
  ASSIGNED: 'assigned users (%)',
  UNASSIGNED: 'unassigned users (%)',
  STATUS_UPDATED: 'set the status to %',
  SEVERITY_UPDATED: 'set the priority to %',
  COMMENTED: 'commented:\n\n%',
  DELETED_COMMENT: 'deleted a comment',
  DESCRIPTION_UPDATED: 'changed the description to:\n\n%',
  TITLE_UPDATED: 'renamed the case to "%"',
  TAGS_ADDED: 'added the tags %',
  TAGS_REMOVED: 'removed the tags %',
  METADATA_UPDATED: 'changed the metadata (%)',
  RECORD_RESULT_SET_ADDED: 'added the record %',
  RECORD_RESULT_SET_REMOVED: 'removed the record %',
  LINKED_CASE_ADDED: 'linked the case %',
  LINKED_CASE_REMOVED: 'removed the link to the case %',
  TEAM_UPDATED: 'moved the case to the team %',
};

/** Returns a mail to one person about an activity. `messageId` is the same for every attempt. */
export function notificationMail(facts: {
  to: string;
  messageId: string;
  stored: StoredCase;
  activity: CaseActivity;
  /** True if the mail is sent because the activity mentions the person. */
  mentioned: boolean;
  url: string;
}): Mail {
  const { stored, activity, mentioned, url } = facts;
  const what = SENTENCES[activity.activityType].replace('%', () => activity.value);
  const mention = mentioned ? ' and mentioned you' : '';
  const description = activity.activityType === 'CREATED' ? `\n\n${stored.description ?? ''}` : '';
  const text = `${nameOf(activity)} ${withMention(what, mention)}${description}\n\n${url}\n`;
  return {
    messageId: facts.messageId,
    to: [{ address: facts.to }],
    cc: [],
    bcc: [],
    replyTo: [],
    subject: `[Case ${stored.id}] ${stored.name}`,
    text,
    html: asHtml(text),
    attachments: [],
  };
}

/** Appends `mention` to the sentence; before the colon, if its first line ends with one. */
function withMention(what: string, mention: string): string {
  return /:\n/.test(what) ? what.replace(':\n', () => `${mention}:\n`) : `${what}${mention}`;
}

function nameOf({ user, actingUser }: CaseActivity): string {
  const name = nameOfUser(user);
  return actingUser === undefined ? name : `${nameOfUser(actingUser)}, on behalf of ${name},`;
}

function nameOfUser(user: CaseUser | undefined): string {
  if (user === undefined) return 'Somebody';
  return `${user.firstName} ${user.lastName}`.trim() || user.email;
}

function asHtml(text: string): string {
  const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return escaped.trim().replaceAll('\n', '<br>\n');
}
