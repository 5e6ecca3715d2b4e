import type { Session } from '../../platform/mysql/session.js';

/** A publication with failing tests goes on, or is refused (docs/build/tests.md, Publishing). */
export const TEST_POLICIES = ['warn', 'block'] as const;
export type TestPolicy = (typeof TEST_POLICIES)[number];

/** Returns what failing tests do to publications of the tenant's stories that do not block themselves. */
export async function findTestPolicy(tenantId: number, session: Session): Promise<TestPolicy> {
  const [row] = await session.rows<{ policy: string | null }>(
    'SELECT tests_on_publish AS policy FROM tenants WHERE id = ?',
    [tenantId],
  );
  return TEST_POLICIES.find((each) => each === row?.policy) ?? 'warn';
}

export async function saveTestPolicy(tenantId: number, policy: TestPolicy, session: Session): Promise<void> {
  await session.run('UPDATE tenants SET tests_on_publish = ? WHERE id = ?', [policy, tenantId]);
}
