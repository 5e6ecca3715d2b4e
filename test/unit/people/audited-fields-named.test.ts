import { type AuditedChange, withoutUnnamed } from '../../../src/people/audit/audited-changes.js';

const changed = (...fields: string[]): AuditedChange[] =>
  fields.map((field) => ({ field, before: 'a', after: 'b', hidden: false }));
const ALL = {
  credential: ['name', 'allowed_hosts', 'test_enabled', 'folder', 'value', 'settings', 'test_value'],
  resource: ['name', 'test_enabled', 'team', 'folder', 'description', 'value', 'test_value'],
  user: ['email', 'first_name', 'is_owner', 'active'],
};

test.each<[action: string, body: object, fields: string[]]>([
  ['credential.update', { name: 'b', metadata: {} }, ['name']],
  ['credential.update', { folder_id: null, allowed_hosts: ['b'] }, ['allowed_hosts', 'folder']],
  ['credential.update', { oauth_scope: 'b' }, ['settings']],
  ['credential.update', { oauth_client_secret: 'b', is_test: false }, ['test_enabled', 'value']],
  ['credential.update', { value: 'b', allowed_hosts: ['b'], is_test: true }, ['test_enabled', 'test_value']],
  ['credential.update', { test_credential_enabled: true }, ['test_enabled']],
  ['resource.update', { value: 'b' }, ['value']],
  ['resource.update', { value: 'b', is_test: true }, ['test_enabled', 'test_value']],
  ['resource.update', { team_id: 4, description: undefined }, ['team', 'folder']],
  ['resource.append', { value: 'b' }, ['value']],
  ['resource.remove', { index: 0, is_test: true }, ['test_value']],
  ['user.update', { first_name: 'b' }, ['first_name']],
  ['user.update', { admin: true, is_active: true }, ['is_owner', 'active']],
  ['user.deactivate', {}, ['active']],
  ['user.deactivate', undefined as never, ['active']],
])('a change of %s by %j keeps what it names of all that changed meanwhile', (action, body, fields) => {
  const type = action.split('.')[0] as keyof typeof ALL;
  expect(withoutUnnamed(changed(...ALL[type]), action, body).map(({ field }) => field)).toEqual(fields);
});

test('a deletion keeps all that it ended', () => {
  expect(withoutUnnamed(changed('name', 'value'), 'credential.delete', undefined)).toHaveLength(2);
});
