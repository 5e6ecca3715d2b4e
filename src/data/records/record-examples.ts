/** A record type, for the documentation. */
export const recordTypeExample = {
  id: 7,
  name: 'Phishing report',
  team_id: 3,
  editable: true,
  ttl_days: null,
  record_fields: [
    { id: 24, name: 'Subject', result_type: 'TEXT', fixed_values: [] },
    { id: 25, name: 'Verdict', result_type: 'TEXT_ENUM', fixed_values: ['clean', 'malicious'] },
  ],
  default_record_fields: [
    { id: 22, name: 'Story name', result_type: 'TEXT', fixed_values: [] },
    { id: 23, name: 'Timestamp', result_type: 'TIMESTAMP', fixed_values: [] },
  ],
};

const values = (subject: string, verdict: string) => [
  { field_id: '22', name: 'Story name', value: 'Phishing inbox' },
  { field_id: '23', name: 'Timestamp', value: '2026-11-21 09:30:12' },
  { field_id: '24', name: 'Subject', value: subject },
  { field_id: '25', name: 'Verdict', value: verdict },
];

/** A record, for the documentation. */
export const recordExample = {
  id: 4711,
  created_at: '2026-11-21T09:30:12Z',
  updated_at: '2026-11-21T09:31:40Z',
  story: { id: 12, name: 'Phishing inbox' },
  story_run_guid: '019a9c1e-6f0e-7c3b-8d2a-5b1f0c9e7a10',
  record_type: { id: 7, name: 'Phishing report' },
  records: values('Your invoice', 'malicious'),
  child_records: [{ id: 4712, records: values('Fwd: Your invoice', 'malicious') }],
  test_mode: false,
  parent_id: null,
  case_ids: [31],
};

/** A record that was created through the API, for the documentation. */
export const newRecordExample = {
  ...recordExample,
  updated_at: recordExample.created_at,
  story: null,
  story_run_guid: null,
  records: recordExample.records.map((entry) =>
    entry.name === 'Story name' ? { ...entry, value: null } : entry,
  ),
  child_records: [],
};

/** A page of records, for the documentation. */
export const recordListExample = {
  record_results: [
    {
      id: 4711,
      'Story name': 'Phishing inbox',
      Timestamp: '2026-11-21 09:30:12',
      Subject: 'Your invoice',
      Verdict: 'malicious',
    },
  ],
  meta: {
    current_page: 'https://fabula.example.com/api/v1/records?record_type_id=7&per_page=1&page=1',
    previous_page: null,
    next_page: 'https://fabula.example.com/api/v1/records?record_type_id=7&per_page=1&page=2',
    next_page_number: 2,
    per_page: 1,
    pages: 2,
    count: 2,
  },
};
