import { cleanup, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import type { AgentOption, AgentType } from '../../../../clients/typescript/api.js';
import { type Fields, FieldsProvider } from '../../../../src/console/inspector/form/field-context.js';
import { RenderedLine } from '../../../../src/console/inspector/form/rendered-line.js';
import { unitOf } from '../../../../src/console/inspector/form/known-options.js';
import { OptionForm } from '../../../../src/console/inspector/form/option-form.js';
import { isStatusRange } from '../../../../src/console/inspector/form/status-list.js';
import { referredStory, storyReference } from '../../../../src/console/inspector/form/story-field.js';
import { withValueAt } from '../../../../src/console/story-model/value-in.js';

// A plain field stands in for the editor of templates.
jest.mock('../../../../src/console/inspector/template-field/code-mirror.js', () => ({
  createTemplateView: () => {
    throw new Error('There is no editor here.');
  },
}));

type Options = Record<string, unknown>;

const option = (name: string): AgentOption => ({
  name,
  description: `Something about ${name}.`,
  required: false,
  default: null,
  example: null,
  schema: {},
});
const typeOf = (type: string, names: readonly string[], ofMode: readonly string[]): AgentType =>
  ({
    type: `Agents::${type}Agent`,
    options: names.map(option),
    modes: ofMode.length === 0 ? [] : [{ mode: 'message_only', options: ofMode.map(option) }],
  }) as unknown as AgentType;

/** Shows the options of an action. Returns them as they are by now, and how often they have changed. */
function open(type: string, options: Options, more: readonly string[] = [], ofMode: readonly string[] = []) {
  const now = { options, changes: 0 };
  function Form() {
    const [shown, setShown] = useState(options);
    const fields: Fields = {
      knowledge: {
        language: 'formula',
        sample: undefined,
        actions: [],
        functions: [],
        filters: [],
        resources: ['hosts'],
        credentials: ['items key'],
        stories: ['Look up a user', 'Other'],
      },
      recordTypes: [{ name: 'Alert', fields: ['Severity', 'Host'] }],
      isReadOnly: false,
      notesOf: () => ({ faults: [], rendered: undefined }),
      wholeOf: () => Promise.resolve(''),
      onChange: (path, value) => {
        now.options = withValueAt(now.options, path, value) as Options;
        now.changes += 1;
        setShown(now.options);
      },
      onLeave: () => undefined,
      onFocus: () => undefined,
    };
    return (
      <FieldsProvider value={fields}>
        <OptionForm options={shown} type={typeOf(type, [...Object.keys(options), ...more], ofMode)} />
      </FieldsProvider>
    );
  }
  render(<Form />);
  return now;
}
const choose = (label: string, value: string) =>
  userEvent.selectOptions(screen.getByRole('combobox', { name: label }), value);
const press = (name: string) => userEvent.click(screen.getByRole('button', { name }));

describe('fields of options', () => {
  it('name the comparison of a rule in words, and keep the rest of the rule', async () => {
    const rule = { type: 'regex', path: '<<a.b>>', value: ['x', 'y'], case_sensitive: true, more: 1 };
    const now = open('Trigger', { rules: [rule], must_match: 1 });
    await choose('Rule 1, comparison', 'is at least');
    expect(now.options).toEqual({ rules: [{ ...rule, type: 'field>=value' }], must_match: 1 });
    await choose('Rule 1, comparison', 'is empty');
    expect(screen.queryByText('Rule 1, value')).toBeNull();
    await press('Add rule');
    await press('Move Rule 2 up');
    await press('Remove Rule 2');
    expect(now.options['rules']).toEqual([{ type: 'field==value', path: '', value: '' }]);
  });

  it('take statuses and ranges of them, and nothing else', async () => {
    const now = open('HTTPRequest', { retry_on_status: ['429', 503] });
    const field = screen.getByRole('textbox', { name: 'Status or range to add to retry_on_status' });
    await userEvent.type(field, '599-500{Enter}');
    expect(screen.getByRole('status').textContent).toContain('Use a status such as 404');
    expect(now.changes).toBe(0);
    await userEvent.clear(field);
    await userEvent.type(field, '500 - 599{Enter}');
    await press('Remove 429 from retry_on_status');
    expect(now.options).toEqual({ retry_on_status: [503, '500-599'] });
  });

  it('show statuses that are a template or a truth in the general field', () => {
    open('HTTPRequest', { fail_on_status: true, retry_on_status: ['<<RESOURCE.statuses>>'] });
    expect(screen.getByRole('combobox', { name: 'fail_on_status' })).toBeTruthy();
    expect(screen.queryByRole('textbox', { name: /Status or range/ })).toBeNull();
  });

  it('offer methods, and leave one that is written otherwise as it is', async () => {
    const now = open('HTTPRequest', { method: 'get' });
    await choose('method', 'patch');
    expect(now.options).toEqual({ method: 'patch' });
  });

  it('offer usual names of headers', () => {
    open('HTTPRequest', { headers: { 'X-Own': 'a' } });
    const key = screen.getByRole('combobox', { name: 'Key of headers, X-Own' });
    const names = document.getElementById(key.getAttribute('list') ?? '');
    expect([...(names?.children ?? [])].map(({ textContent }) => textContent)).toContain('Content-Type');
  });

  it('choose a story by the reference that the server reads', async () => {
    const now = open('SendToStory', { story: '' });
    await choose('story', 'Look up a user');
    expect(now.options).toEqual({ story: '<<STORY.look_up_a_user>>' });
    expect(screen.queryByRole('textbox', { name: 'story as a template' })).toBeNull();
    await choose('story', 'a template…');
    expect(now.options).toEqual({ story: '' });
  });

  it('choose a type of records and its fields', async () => {
    const now = open('Record', {
      record_type: { name: 'Gone', id: 4 },
      record_writers: [{ formula: '=a', record_field: { name: 'Old', id: 3 } }],
    });
    expect(screen.getByText('Gone (missing here)')).toBeTruthy();
    await choose('record_type', 'Alert');
    await choose('Field 1', 'Host');
    await press('Add field');
    expect(now.options).toEqual({
      record_type: { name: 'Alert', id: 4 },
      record_writers: [
        { formula: '=a', record_field: { name: 'Host', id: 3 } },
        { formula: '', record_field: { name: 'Severity' } },
      ],
    });
  });

  it('insert a credential or a resource by name', async () => {
    open('EventTransformation', { payload: 'a' });
    await press('Insert a credential or resource into payload');
    const menu = screen.getByRole('menu');
    expect(
      within(menu)
        .getAllByRole('menuitem')
        .map(({ textContent }) => textContent),
    ).toEqual(['items key', 'hosts']);
  });

  it('tell an empty one how a value is inserted, and warn of code without an end', async () => {
    const now = open('Email', { subject: '' });
    const subject = screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'subject' });
    expect(subject.placeholder).toBe('Text, or << for a value');
    await userEvent.type(subject, 'Hi <<name');
    expect(screen.getByRole('status').textContent).toBe('<< stays text: no >> follows.');
    await userEvent.type(subject, '>>');
    expect(screen.queryByRole('status')).toBeNull();
    expect(now.options).toEqual({ subject: 'Hi <<name>>' });
  });

  it.each([
    [
      'Trigger',
      { rules: [{ type: '{{ .kind }}', value: null, path: '' }, { type: 'formula' }], must_match: '1' },
    ],
    ['Trigger', { rules: '=rules' }],
    [
      'HTTPRequest',
      { method: 'GET', log_error_on_status: [], retry_on_status: '429', fail_on_status: 'true' },
    ],
    [
      'HTTPRequest',
      { headers: '<<headers>>', timeout: '30', content_type: 'json', payload: { a: [1, null] } },
    ],
    ['SendToStory', { story: '{% story Azure Sentinel Storyboard%}', payload: {} }],
    ['Record', { record_type: null, record_writers: [{ formula: 1 }] }],
  ])('change nothing by themselves: %s %j', (type, options) => {
    const before = JSON.stringify(options);
    const now = open(type, options);
    expect([now.changes, JSON.stringify(now.options)]).toEqual([0, before]);
  });
});

const focusIs = (label: string) =>
  waitFor(() => expect(document.activeElement?.getAttribute('aria-label')).toBe(label));

/** The options that the open list offers. */
const names = () =>
  within(screen.getByRole('listbox'))
    .getAllByRole('option')
    .map((each) => each.querySelector('code')?.textContent ?? each.textContent);

describe('a value that is shortened', () => {
  it('is shown whole when a person asks, or says why it cannot be', async () => {
    const whole = 'a'.repeat(3_000);
    const onWhole = jest
      .fn<Promise<string>, []>()
      .mockRejectedValueOnce(new Error('The run was deleted.'))
      .mockResolvedValueOnce(whole);
    const rendered = { text: 'aaa', kind: 'text, 3,000 characters', isCut: true, missing: [] };
    render(<RenderedLine label="payload, text" faults={[]} rendered={rendered} onWhole={onWhole} />);
    await press('Show all');
    expect((await screen.findByRole('alert')).textContent).toBe('The run was deleted.');
    await press('Show all');
    const field = await screen.findByRole<HTMLTextAreaElement>('textbox', {
      name: 'Whole value of payload, text',
    });
    expect(field.value).toBe(whole);
  });
});

describe('an option to add', () => {
  it('is found by letters of its name, and by words of its meaning', async () => {
    const now = open('HTTPRequest', { url: 'a' }, [
      'timeout',
      'retry_on_status',
      'on_status_list',
      'headers',
    ]);
    await press('Add an option');
    expect(names()).toEqual(['timeout', 'retry_on_status', 'on_status_list', 'headers']);
    await userEvent.keyboard('on_st');
    expect(names()).toEqual(['on_status_list', 'retry_on_status']);
    await userEvent.clear(screen.getByRole('combobox', { name: 'Option to add' }));
    await userEvent.keyboard('about headers');
    expect(names()).toEqual(['headers']);
    await userEvent.click(within(screen.getByRole('listbox')).getByRole('option'));
    expect(Object.keys(now.options)).toEqual(['url', 'headers']);
    expect(screen.queryByRole('combobox', { name: 'Option to add' })).toBeNull();
  });

  it('is one of its mode before all others', async () => {
    open('EventTransformation', { mode: 'message_only' }, ['loop', 'local'], ['payload']);
    await press('Add an option');
    expect(names()).toEqual(['payload', 'loop', 'local']);
  });

  it('is given up with Escape', async () => {
    const now = open('HTTPRequest', { url: 'a' }, ['timeout']);
    await press('Add an option');
    await userEvent.keyboard('{Escape}');
    expect(document.activeElement?.textContent).toContain('Add an option');
    expect([now.changes, screen.queryByRole('listbox')]).toEqual([0, null]);
  });
});

describe('the focus', () => {
  it('goes to the option that is added, and back when it is removed', async () => {
    open('Webhook', { path: 'alerts' }, ['response']);
    await press('Add an option');
    await userEvent.keyboard('resp{Enter}');
    await focusIs('response');
    await press('Remove response');
    await waitFor(() => expect(document.activeElement?.textContent).toContain('Add an option'));
  });

  it('goes from a new key to its value, and is never lost', async () => {
    const now = open('EventTransformation', { payload: {} });
    await press('Add key to payload');
    await focusIs('Key of payload, key');
    await userEvent.keyboard('title{Enter}');
    await focusIs('payload, title');
    await userEvent.keyboard('Hi');
    expect(now.options).toEqual({ payload: { title: 'Hi' } });
    await press('Remove payload, title');
    await focusIs('Add key to payload');
  });

  it('goes to a new item and to a new rule', async () => {
    open('Email', { recipients: [] });
    await press('Add item to recipients');
    await focusIs('recipients, item 1');
    cleanup();
    open('Trigger', { rules: [] });
    await press('Add rule');
    await focusIs('Rule 1, field');
  });
});

describe('what fields know', () => {
  it('is the unit of a number', () => {
    expect(['timeout', 'seconds', 'period', 'retries'].map(unitOf)).toEqual([
      'seconds',
      'seconds',
      'seconds',
      undefined,
    ]);
  });

  it('is which texts are statuses', () => {
    expect(['0', '404', '400-599'].every(isStatusRange)).toBe(true);
    expect(['', '4000', '599-400', '4xx', '1-2-3'].some(isStatusRange)).toBe(false);
  });

  it('is the story that a reference names, in both languages', () => {
    const stories = ['Look up a user', 'Other'];
    expect(storyReference('Look up a user', 'liquid')).toBe('{% story Look up a user %}');
    for (const text of [
      '{%story Look up a user%}',
      '<< STORY.look_up_a_user >>',
      '{{ .STORY.look_up_a_user}}',
    ]) {
      expect(referredStory(text, stories)).toBe('Look up a user');
    }
    expect(referredStory('<<a.story>>', stories)).toBeUndefined();
  });
});
