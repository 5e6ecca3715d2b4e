import { createPersistentSecret } from '../../src/platform/mysql/schema/persistent-secret.js';
import { useStores } from '../support/stores.js';

const stores = useStores();

it('gives everybody the same value, whoever makes it, also over a row that was just deleted', async () => {
  for (let round = 0; round < 200; round++) {
    await stores.sql('DELETE FROM settings');
    const askers = Array.from({ length: 4 }, () =>
      createPersistentSecret(stores.db, { name: 'mark', bytes: 4 }),
    );
    const values = await Promise.all(askers.map((ask) => ask()));
    expect(new Set(values).size).toBe(1);
    expect(values[0]).toMatch(/^[0-9a-f]{8}$/);
  }
});

it('asks the database once for all who ask at the same time', async () => {
  let questions = 0;
  const ask = createPersistentSecret(
    { read: (work) => (questions++, stores.db.read(work)) },
    { name: 'mark', bytes: 16 },
  );
  const [one, other] = await Promise.all([ask(), ask()]);
  expect(one).toBe(other);
  expect(await ask()).toBe(one);
  expect(questions).toBe(1);
});

it('asks again after a failure', async () => {
  let down = true;
  const ask = createPersistentSecret(
    { read: (work) => (down ? Promise.reject(new Error('down')) : stores.db.read(work)) },
    { name: 'mark', bytes: 4 },
  );
  await expect(ask()).rejects.toThrow('down');
  down = false;
  expect(await ask()).toMatch(/^[0-9a-f]{8}$/);
});
