import type { JsonObject } from '../../../src/platform/json.js';
import { buildAccount } from '../builders.js';
import type { TestFabula } from '../fabula.js';
import type { TestStores } from '../stores.js';
import { send } from './send.js';

/** Cases as a team has them, and the one with everything in it. */
export interface CaseWorld {
  /** The id of the case that has all parts. */
  fullId: number;
  colleague: { id: number; email: string; name: string };
}

const NAMES: [string, string, string[]][] = [
  ['Phishing mail to finance', 'CRITICAL', ['phishing', 'tier 1']],
  ['Impossible travel: j.doe', 'HIGH', ['identity']],
  ['Malware on web-14', 'HIGH', ['endpoint', 'tier 2']],
  ['Certificate of the shop ends in three days', 'MEDIUM', ['it']],
  ['Many failed sign-ins from one address, and one that succeeded', 'MEDIUM', ['identity', 'tier 1']],
  ['New joiner without a laptop', 'LOW', ['it']],
  ['Port scan from the guest network', 'INFO', []],
];
const CLOSED = ['Phishing mail in the sales team', 'Old DNS entries', 'Backup of db-2 failed once'];
const SAID = [
  'The link leads to a page that asks for a **password**: https://login.example.net/session\n\n- three people opened it\n- one has typed something',
  'I have reset the password, and ended all sessions. Next:\n\n1. [Block the sender](https://mail.example.com/rules)\n2. Tell finance\n\n> Please do not open it.',
];

/** Makes cases by the API, one of them with comments, conditions, records and links. */
export async function buildCaseWorld(
  stores: TestStores,
  fabula: TestFabula,
  recordIds: readonly number[] = [],
): Promise<CaseWorld> {
  const { user } = await buildAccount(stores.db, { team: fabula.account.team });
  await stores.sql("UPDATE users SET first_name = 'Dorothy', last_name = 'Vaughan' WHERE id = ?", [user.id]);
  const make = async (body: JsonObject): Promise<number> => {
    const team = { team_id: fabula.account.team.id };
    const made = await send<{ case_id: number }>(fabula, 'POST /api/v2/cases', { ...team, ...body });
    return made.case_id;
  };
  for (const name of CLOSED) {
    const id = await make({ name, priority: 'medium', assignee_emails: [user.email] });
    await send(fabula, `PUT /api/v2/cases/${id}`, { status: 'closed' });
  }
  const ids: number[] = [];
  for (const [name, priority, tags] of NAMES.toReversed()) {
    ids.unshift(await make({ name, priority, tag_names: tags }));
  }
  const [fullId = 0, other = 0] = ids;
  await fill(fabula, fullId, { colleague: user, other, recordIds });
  return { fullId, colleague: { id: user.id, email: user.email, name: 'Dorothy Vaughan' } };
}

async function fill(
  fabula: TestFabula,
  id: number,
  of: { colleague: { id: number; email: string }; other: number; recordIds: readonly number[] },
): Promise<void> {
  const path = `/api/v2/cases/${id}`;
  await send(fabula, `PUT ${path}`, {
    description: `Reported by **finance** at 09:12. <@user-${of.colleague.id}> looks at the mail.\n\n\`\`\`\nFrom: billing@example.net\nSubject: Your invoice\n\`\`\``,
    add_assignee_emails: [of.colleague.email],
    metadata: { reporter: 'finance', mails: 3, sender: { address: 'billing@example.net', spf: 'fail' } },
    closure_conditions: [
      { name: 'Somebody has it', formula: 'SIZE(team_case.assignees) > 0' },
      { name: 'Has a verdict', formula: 'team_case.metadata.verdict' },
    ],
  });
  for (const value of SAID) await send(fabula, `POST ${path}/comments`, { value });
  await send(fabula, `POST ${path}/comments`, {
    value: `Thank you, <@user-${fabula.account.user.id}>.`,
    author_email: of.colleague.email,
  });
  await send(fabula, `POST ${path}/linked_cases`, { id: of.other });
  await send(fabula, `POST ${path}/actions`, {
    url: 'https://example.com/runbooks/phishing',
    label: 'Runbook: phishing',
    action_type: 'page',
  });
  for (const record of of.recordIds) await send(fabula, `POST ${path}/records`, { record_id: record });
}
