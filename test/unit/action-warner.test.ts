import type { Actor } from '../../src/api/auth/actor.js';
import { createActionWarner } from '../../src/stories/check/action-warner.js';

const broken = (code?: string) => {
  const warn = jest.fn();
  const read = () => Promise.reject(Object.assign(new Error('The connection is lost'), { code }));
  const warner = createActionWarner({ database: { read }, threads: { run: jest.fn() }, logger: { warn } });
  return { warn, warnings: () => warner.warningsOf({ tenantId: 1 } as Actor, 7, []) };
};

describe('the check of actions that were just written', () => {
  it('has no warnings when the database is unreachable, and that is logged: the actions are written', async () => {
    const { warn, warnings } = broken('ECONNRESET');
    expect(await warnings()).toEqual([]);
    expect(warn).toHaveBeenCalledWith('actions were saved without a check', {
      story_id: 7,
      error: 'The connection is lost',
    });
  });

  it('fails with an error that nobody expects', async () => {
    await expect(broken().warnings()).rejects.toThrow('The connection is lost');
  });
});
