import type { TestFabula } from '../fabula.js';
import type { TestStores } from '../stores.js';

/** Deletes all tenants but that of Fabula's account: only where there is one, its owner sees jobs, slots and the board. */
export async function leaveOneTenant(stores: TestStores, { account }: TestFabula): Promise<void> {
  await stores.sql('DELETE FROM tenants WHERE id <> ?', [account.tenantId]);
}
