import { exampleMeta } from '../../../api/face.js';

/** Example values for the API documentation: one case of a security team. */
const exampleUser = {
  user_id: '5',
  first_name: 'Ada',
  last_name: 'Lovelace',
  email: 'ada@example.com',
  avatar_url: '',
  is_service_account: false,
};

export const exampleComment = {
  id: 902,
  activity_type: 'COMMENTED',
  value: 'The sender is known to us, see <@user-7>',
  user: exampleUser,
  created_at: '2026-11-21T09:41:00Z',
};

export const exampleAction = {
  id: 31,
  url: 'https://example.com/runbooks/phishing',
  label: 'Open the runbook',
  action_type: 'page',
  action_text: 'Open',
};

export const exampleLinkedCase = { case_id: 40, name: 'Phishing mail in the sales team', team_id: 2 };

const exampleRecord = {
  id: 1204,
  results: [
    { id: 11, name: 'Story name', value: 'Phishing triage' },
    { id: 12, name: 'Timestamp', value: '2026-11-21 09:30:00' },
    { id: 13, name: 'Sender', value: 'billing@example.net' },
  ],
  created_at: '2026-11-21T09:30:00Z',
};

export const exampleRecordGroup = {
  record_type_id: 3,
  record_type_name: 'Suspicious mail',
  record_type_record_results: [exampleRecord],
};

export const exampleOneRecord = {
  record: { ...exampleRecord, record_type: { id: 3, name: 'Suspicious mail' } },
};

const CASE_API = '/api/v2/cases/42';

/** Returns the pagination object inside a case. */
function insideMeta(list: string) {
  return {
    ...exampleMeta(`${CASE_API}/${list}`),
    current_page: `https://fabula.example${CASE_API}/${list}?page=1&per_page=20`,
  };
}

export const exampleCase = {
  case_id: 42,
  name: 'Phishing mail to finance',
  description: 'Reported by <@user-7>',
  status: 'OPEN',
  priority: 'HIGH',
  url: 'https://fabula.example/cases/42',
  metadata: { reporter: 'finance', mails: 3 },
  author: null,
  opened_by: exampleUser,
  resolved_by: null,
  assignees: [exampleUser],
  tags: [{ id: 8, name: 'phishing' }],
  activities: [
    { id: 900, activity_type: 'CREATED', value: '42', user: exampleUser, created_at: '2026-11-21T09:30:05Z' },
  ],
  activities_meta: insideMeta('activities'),
  team: { id: 2, name: 'Security' },
  actions: [exampleAction],
  linked_cases: [exampleLinkedCase],
  opened_at: '2026-11-21T09:30:00Z',
  resolved_at: null,
  created_at: '2026-11-21T09:30:05Z',
  updated_at: '2026-11-21T09:30:05Z',
  records: [exampleRecordGroup],
  records_meta: insideMeta('records'),
  closure_conditions: [{ name: 'Has a verdict', formula: 'team_case.metadata.verdict' }],
};
