import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { api } from '../../../../src/console/api/console-api.js';
import { keys } from '../../../../src/console/api/keys.js';
import { type Editor, EditorProvider } from '../../../../src/console/pages/editor/editor-context.js';
import { CurlDialog } from '../../../../src/console/pages/editor/request-import/curl-dialog.js';
import type { ImportedAction } from '../../../../src/console/pages/editor/request-import/needed-credentials.js';
import { OpenapiDialog } from '../../../../src/console/pages/editor/request-import/openapi/openapi-dialog.js';

const COMMAND = "curl https://api.example.com/items -H 'Authorization: Bearer s3cr3t-s3cr3t'";

/** Opens a dialog of a story of team 3 as a person with these rights. Returns what it gave. */
function open(Shown: typeof CurlDialog, rights = ['read', 'write', 'manage']): ImportedAction[] {
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Number.POSITIVE_INFINITY } } });
  client.setQueryData(keys.session, { teams: [{ id: 3, rights }] });
  client.setQueryData(keys.sample(7, 'language'), 'formula');
  const credentials = [
    { id: 1, name: 'fits', allowed_hosts: ['*.example.com'] },
    { id: 2, name: 'elsewhere', allowed_hosts: ['other.example'] },
  ];
  client.setQueryData(keys.credentials('usable', 3), credentials);
  jest.spyOn(api.userCredentials, 'list').mockResolvedValue({ user_credentials: credentials } as never);
  const done: ImportedAction[] = [];
  const editor = { storyId: 7, draftId: undefined, teamId: 3 } as Editor;
  render(
    <QueryClientProvider client={client}>
      <EditorProvider value={editor}>
        <Shown button="Add action" onImport={(action) => done.push(action)} onClose={() => undefined} />
      </EditorProvider>
    </QueryClientProvider>,
  );
  return done;
}
const paste = async (name: string, text: string) => {
  await userEvent.click(screen.getByRole('textbox', { name: new RegExp(name) }));
  await userEvent.paste(text);
};
const add = () => userEvent.click(screen.getByRole('button', { name: 'Add action' }));
const choice = () => screen.getByRole<HTMLSelectElement>('combobox', { name: /For headers.Authorization/ });
const bearerOf = (action: ImportedAction | undefined) => action?.options['headers'];

describe('a pasted curl command', () => {
  afterEach(() => jest.restoreAllMocks());

  it('creates the credential of its secret, and refers to it', async () => {
    const create = jest.spyOn(api.userCredentials, 'create').mockResolvedValue({} as never);
    const done = open(CurlDialog);
    await paste('curl command', COMMAND);
    expect(choice().value).toBe('create');
    const name = screen.getByRole('textbox', { name: 'Name' });
    await userEvent.clear(name);
    await userEvent.type(name, 'items');
    await add();
    await waitFor(() => expect(done).toHaveLength(1));
    expect(create).toHaveBeenCalledWith({
      name: 'items',
      mode: 'TEXT',
      allowed_hosts: ['api.example.com'],
      team_id: 3,
      value: 's3cr3t-s3cr3t',
    });
    expect(bearerOf(done[0])).toEqual({ Authorization: 'Bearer <<CREDENTIAL.items>>' });
    expect(JSON.stringify(done)).not.toContain('s3cr3t-s3cr3t');
  });

  it('refers to an existing credential that may go to its host', async () => {
    const done = open(CurlDialog);
    await paste('curl command', COMMAND);
    expect([...choice().options].map(({ value }) => value)).toEqual(['create', 'later', 'use fits']);
    await userEvent.selectOptions(choice(), 'fits');
    await add();
    await waitFor(() => expect(bearerOf(done[0])).toEqual({ Authorization: 'Bearer <<CREDENTIAL.fits>>' }));
  });

  it('leaves the credential for later where the person may not create it', async () => {
    const done = open(CurlDialog, ['read', 'write']);
    await paste('curl command', COMMAND);
    expect([...choice().options].map(({ value }) => value)).toEqual(['later', 'use fits']);
    await add();
    await waitFor(() =>
      expect(bearerOf(done[0])).toEqual({ Authorization: 'Bearer <<CREDENTIAL.example_com_token>>' }),
    );
  });

  it('says what it cannot keep, and why there is nothing to add', async () => {
    open(CurlDialog);
    await paste('curl command', 'wget https://api.example.com');
    expect(screen.getByRole('status').textContent).toBe('The text is not a curl command.');
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Add action' }).disabled).toBe(true);
    await userEvent.clear(screen.getByRole('textbox', { name: /curl command/ }));
    await paste('curl command', 'curl -X GET https://api.example.com -d \'{"a":1}\'');
    expect(screen.getByRole('list', { name: 'Remarks' }).textContent).toContain('became a POST');
  });
});

const operation = (path: string) => ({
  method: 'get',
  path,
  operation_id: null,
  summary: `Read ${path}`,
  tags: [],
  deprecated: false,
});

describe('an OpenAPI document', () => {
  afterEach(() => jest.restoreAllMocks());

  it('gives an operation with the chosen parameters and its server', async () => {
    const servers = ['https://eu.example.com', 'https://us.example.com'].map((url) => ({
      url,
      description: null,
    }));
    const list = jest.spyOn(api.openapi.operations, 'list').mockResolvedValue({
      title: 'Pets',
      version: '1',
      openapi: '3.1.0',
      servers,
      security_schemes: [],
      operations: [operation('/pets'), operation('/shops')],
      total: 2,
    });
    const read = jest.spyOn(api.openapi.request, 'import').mockImplementation(((input: { server?: string }) =>
      Promise.resolve({
        name: 'List pets',
        description: null,
        options: { url: `${input.server ?? servers[0]?.url}/pets`, method: 'get' },
        parameters: [
          {
            name: 'limit',
            in: 'query',
            required: false,
            description: 'How many',
            example: 5,
            included: false,
          },
        ],
        credentials: [],
        servers,
        remarks: [],
      })) as never);
    const done = open(OpenapiDialog);
    await paste('Or its text', 'openapi: 3.1.0');
    await userEvent.click(screen.getByRole('button', { name: 'List operations' }));
    await userEvent.type(await screen.findByRole('combobox', { name: 'Operations' }), 'pets{Enter}');
    await userEvent.selectOptions(
      await screen.findByRole('combobox', { name: 'Server' }),
      'https://us.example.com',
    );
    await screen.findByText('GET https://us.example.com/pets');
    await userEvent.click(screen.getByRole('checkbox', { name: 'limit' }));
    await add();
    await waitFor(() =>
      expect(done).toEqual([
        {
          name: 'List pets',
          options: {
            url: 'https://us.example.com/pets',
            method: 'get',
            query_params: { limit: '5' },
          },
        },
      ]),
    );
    expect(list).toHaveBeenCalledWith({ document: 'openapi: 3.1.0', team_id: 3, limit: 500 });
    expect(read.mock.lastCall?.[0]).toMatchObject({ path: '/pets', server: 'https://us.example.com' });
  });
});
