import { foreignFormatOf } from '../../../src/stories/import/foreign-format.js';
import { inspectImport } from '../../../src/stories/import/import-request.js';
import { smallExport } from '../../support/stories.js';

const N8N = { name: 'Flow', nodes: [{ type: 'n8n-nodes-base.webhook', parameters: {} }], connections: {} };

test.each([
  ['a workflow of n8n', N8N],
  ['a flow of Node-RED', [{ id: '1', type: 'http in', wires: [['2']] }]],
  ['a scenario of Make', { name: 'x', flow: [{ id: 1 }], metadata: {} }],
  ['a state machine of AWS Step Functions', { StartAt: 'A', States: { A: {} } }],
  ['a workflow of Shuffle', { actions: [], branches: [], triggers: [] }],
  ['a flow of Power Automate or Logic Apps', { properties: { definition: { actions: {} } } }],
  [undefined, smallExport()],
  [undefined, { name: 'x' }],
  [undefined, []],
  [undefined, 'text'],
  [undefined, null],
])('a file is told as %s', (name, file) => expect(foreignFormatOf(file)).toBe(name));

test('an import of another product is refused with one sentence that says what it is', () => {
  const { request, problems } = inspectImport({ data: N8N });
  expect([request, problems]).toEqual([
    undefined,
    [{ message: 'is a workflow of n8n; only exports of stories can be imported', details: 'data' }],
  ]);
});
