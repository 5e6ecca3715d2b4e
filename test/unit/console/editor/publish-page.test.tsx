import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, fireEvent, render, screen } from '@testing-library/react';
import { Route, Router } from 'wouter';
import { memoryLocation } from 'wouter/memory-location';
import { FabulaError } from '../../../../clients/typescript/errors.js';
import { api } from '../../../../src/console/api/console-api.js';
import { keys, ofKind } from '../../../../src/console/api/keys.js';
import { PublishPage } from '../../../../src/console/pages/editor/publish/publish-page.js';

function opened(client: QueryClient) {
  client.setQueryData(keys.session, { user: { id: 1 }, teams: [] });
  client.setQueryData(keys.story(7).self, { id: 7, team_id: 3, name: 'Alerts' });
  const { hook, searchHook } = memoryLocation({ path: '/stories/7/edit/publish', searchPath: 'draft=9' });
  render(
    <QueryClientProvider client={client}>
      <Router hook={hook} searchHook={searchHook}>
        <Route path="/stories/:id/edit/publish" component={PublishPage} />
      </Router>
    </QueryClientProvider>,
  );
}

const newClient = () =>
  new QueryClient({ defaultOptions: { queries: { staleTime: Infinity, retry: false } } });

describe('stories as software: the page on which a draft is published', () => {
  it('asks again for the drafts where these have failed', async () => {
    const failing = new FabulaError(500, [{ message: 'It broke' }], undefined, undefined);
    const list = jest.spyOn(api.stories.drafts, 'list').mockRejectedValueOnce(failing);
    const never = new Promise(() => undefined) as never;
    jest.spyOn(api.stories, 'get').mockReturnValue(never);
    jest.spyOn(api.stories.drafts.diff, 'compare').mockReturnValue(never);
    opened(newClient());
    await screen.findByText('It broke');
    list.mockResolvedValue({ drafts: [{ id: 9, name: 'Try', story_id: 7 }] } as never);
    fireEvent.click(screen.getByRole('button', { name: 'Retry' }));
    await screen.findByRole('heading', { name: /Compare and publish/ });
  });

  it('says at once that a colleague has deleted the story', async () => {
    const gone = new FabulaError(404, [{ message: 'Story not found' }], undefined, undefined);
    for (const call of [
      jest.spyOn(api.stories, 'get'),
      jest.spyOn(api.stories.drafts, 'list'),
      jest.spyOn(api.stories.drafts.diff, 'compare'),
    ])
      call.mockRejectedValue(gone);
    const client = newClient();
    client.setQueryData(keys.story(7).drafts, [{ id: 9, name: 'Try', story_id: 7 }]);
    opened(client);
    await screen.findByRole('heading', { name: /Compare and publish/ });
    await act(() => client.invalidateQueries({ queryKey: ofKind('story') }));
    await screen.findByText('This page does not exist.');
  });
});
