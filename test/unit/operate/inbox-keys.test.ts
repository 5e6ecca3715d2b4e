import type { QuotaUse } from '../../../src/people/face.js';
import { credentialEntries } from '../../../src/operate/monitoring/inbox/credential-entries.js';
import { quotaEntries } from '../../../src/operate/monitoring/inbox/quota-entries.js';

const use = (used: number): QuotaUse => ({
  name: 'mails_per_day',
  used,
  limit: 100,
  resetsAt: null,
});

it('a quota that is used up is another entry than one of which most is used', () => {
  const keys = [use(79), use(81), use(100)].map((quota) => quotaEntries([quota]).map(({ key }) => key));
  expect(keys).toEqual([[], ['quota-mails_per_day-near'], ['quota-mails_per_day-used_up']]);
});

it('a credential that ends soon, has ended, or must be connected is another entry each time', () => {
  const credential = { id: 7, name: 'Mail', teamId: 3, endsAt: new Date(0) };
  const broken = { id: 7, name: 'Mail', teamId: 3, since: new Date(0), reason: 'it ended' };
  const entries = [
    ...credentialEntries([], [{ ...credential, isOver: false }]),
    ...credentialEntries([], [{ ...credential, isOver: true }]),
    ...credentialEntries([{ ...broken, isTest: false }], [{ ...credential, isOver: true }]),
    ...credentialEntries([{ ...broken, isTest: true }], []),
  ];
  expect(entries.map(({ key, title }) => [key, title])).toEqual([
    ['credential-7-expires', 'Access for Mail ends soon'],
    ['credential-7-ended', 'Access for Mail has ended'],
    ['credential-7-reconnect', 'Mail must be connected'],
    ['credential-7-test-reconnect', 'Mail (test value) must be connected'],
  ]);
});
