import { type Account, buildAccount } from '../../support/builders.js';
import { type Parsed, useManageApi } from '../../support/manage-api.js';
import { useStores } from '../../support/stores.js';

const stores = useStores();
const api = useManageApi(stores);

let mallory: Account;
let ada: Account;
beforeEach(async () => {
  mallory = await buildAccount(stores.db);
  ada = await buildAccount(stores.db, { team: mallory.team });
});

const create = async (body: object): Promise<Parsed> => {
  const response = await api.call(mallory.key, 'POST /api/v2/cases', {
    team_id: mallory.team.id,
    name: 'Case',
    ...body,
  });
  expect(response.status).toBe(201);
  return response.body;
};
const comment = async (caseId: number, body: object, account = mallory): Promise<Parsed> => {
  const response = await api.call(account.key, `POST /api/v2/cases/${caseId}/comments`, body);
  expect(response.status).toBe(201);
  return response.body;
};
const emails = ({ user, acting_user: acting, on_behalf_of: named }: Parsed) => [
  user?.email,
  acting?.email,
  named?.email,
];

const named = ({ author, acting_user: acting, on_behalf_of: of }: Parsed) => [
  author?.email,
  acting?.email,
  of?.email,
];

it('a comment in another user’s name shows its real author everywhere', async () => {
  const { case_id: id } = await create({});
  const made = await comment(id, { value: 'I approve', author_email: ada.user.email });
  const expected = [ada.user.email, mallory.user.email, ada.user.email];
  expect(emails(made)).toEqual(expected);
  const reads = [
    `GET /api/v2/cases/${id}/comments/${made.id}`,
    `GET /api/v2/cases/${id}/comments`,
    `GET /api/v2/cases/${id}/activities`,
    `GET /api/v2/cases/${id}`,
  ];
  for (const read of reads) {
    const { body } = await api.call(ada.key, read);
    const shown = [body, ...(body.comments ?? []), ...(body.activities ?? [])].find(
      ({ id: own }: Parsed) => own === made.id,
    );
    expect([read, ...emails(shown)]).toEqual([read, ...expected]);
  }
});

it('a comment in one’s own name has only the keys of the specification', async () => {
  const { case_id: id } = await create({});
  for (const body of [{ value: 'a' }, { value: 'b', author_email: mallory.user.email }]) {
    expect(Object.keys(await comment(id, body))).toEqual([
      'id',
      'activity_type',
      'value',
      'user',
      'created_at',
    ]);
  }
});

it('a comment that another user edits names this user', async () => {
  const { case_id: id } = await create({});
  const made = await comment(id, { value: 'no' }, ada);
  const { body } = await api.call(mallory.key, `PUT /api/v2/cases/${id}/comments/${made.id}`, {
    value: 'yes',
  });
  expect([body.value, ...emails(body)]).toEqual(['yes', ada.user.email, mallory.user.email, ada.user.email]);
});

it('a case in another user’s name shows who created it', async () => {
  const made = await create({ author_email: ada.user.email });
  expect(named(made)).toEqual([ada.user.email, mallory.user.email, ada.user.email]);
  const own = await api.call(ada.key, `PUT /api/v2/cases/${made.case_id}`, { author_email: ada.user.email });
  expect(named(own.body)).toEqual([ada.user.email, undefined, undefined]);
  const again = await api.call(mallory.key, `PUT /api/v2/cases/${made.case_id}`, {
    author_email: ada.user.email,
  });
  expect(named(again.body)).toEqual([ada.user.email, mallory.user.email, ada.user.email]);
  const none = await api.call(mallory.key, `PUT /api/v2/cases/${made.case_id}`, { author_email: '' });
  expect(named(none.body)).toEqual([undefined, undefined, undefined]);
});

it('an unknown user, or one of another tenant, cannot be an author', async () => {
  const foreign = await buildAccount(stores.db);
  const { case_id: id } = await create({});
  for (const email of [foreign.user.email, 'nobody@example.com']) {
    const response = await api.call(mallory.key, `POST /api/v2/cases/${id}/comments`, {
      value: 'x',
      author_email: email,
    });
    expect(response.status).toBe(422);
  }
});

it('the audit log names the real author, and the named user is notified of the comment', async () => {
  const { case_id: id } = await create({});
  await api.call(ada.key, `POST /api/v2/cases/${id}/subscribers`, { user_email: ada.user.email });
  await stores.sql('DELETE FROM case_notifications');
  await comment(id, { value: 'x', author_email: ada.user.email });
  const [entry] = await stores.db.read((session) =>
    session.rows<{ user: number }>(
      "SELECT user_id AS user FROM audit_logs WHERE action = 'case_comment.create'",
    ),
  );
  expect(entry?.user).toBe(mallory.user.id);
  const told = await stores.db.read((session) => session.rows('SELECT id FROM case_notifications'));
  expect(told).toHaveLength(1);
});
