import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { api } from '../../../src/console/api/console-api.js';
import { keys } from '../../../src/console/api/keys.js';
import { TenantSettingsTab } from '../../../src/console/pages/team/settings/tenant-settings-tab.js';

/** Opens the settings of the tenant as an owner, or as another. */
function open(isOwner: boolean) {
  jest.spyOn(api.tenants.testSettings, 'get').mockResolvedValue({ on_publish: 'warn' });
  const saved = jest
    .spyOn(api.tenants.testSettings, 'update')
    .mockResolvedValue({ on_publish: 'block' } as never);
  const client = new QueryClient();
  client.setQueryData(keys.session, { user: { id: 1, is_owner: isOwner }, teams: [] });
  render(
    <QueryClientProvider client={client}>
      <TenantSettingsTab />
    </QueryClientProvider>,
  );
  return saved;
}

const choice = () => screen.findByRole<HTMLSelectElement>('combobox', { name: /^When tests fail/ });

describe('stories as software: what failing tests do, for all teams', () => {
  it('is set by an owner, once the choice is another', async () => {
    const saved = open(true);
    const save = await screen.findByRole<HTMLButtonElement>('button', { name: 'Save' });
    expect(save.disabled).toBe(true);
    await userEvent.selectOptions(await choice(), 'Do not publish');
    expect(screen.getByText(/with a reason that the audit log keeps/)).toBeTruthy();
    await userEvent.click(save);
    await waitFor(() => expect(saved).toHaveBeenCalledWith({ on_publish: 'block' }));
  });

  it('is shown to others, who cannot change it', async () => {
    open(false);
    expect((await choice()).disabled).toBe(true);
    expect(screen.getByText('An owner changes this.')).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Save' })).toBeNull();
  });
});
