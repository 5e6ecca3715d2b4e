import { type ReactNode, useState } from 'react';
import type { ActiveStory } from '../../../../../clients/typescript/api.js';
import { useMay, useSession, useTeamsWith } from '../../../api/signed-in.js';
import { isolated } from '../../../text/isolated.js';
import { Field, Input, Select, TextArea, Tick } from '../../../ui/form/field.js';
import { usePeople } from '../../cases/cases-data.js';
import { folderPath, useFolders } from '../../stories/stories-data.js';
import { POLICY_WORDS, useTestPolicy } from '../../team/settings/test-policy.js';
import { accessOf, type CallAccess, KEEP_TIMES } from './given-settings.js';
import styles from './settings.module.css';

const MOST_RUNBOOK_CHARACTERS = 10_000;

const ACCESS: readonly (readonly [CallAccess, string])[] = [
  ['OFF', 'No story'],
  ['TEAM', 'Stories of the team'],
  ['SPECIFIC_TEAMS', 'Stories of the team and of these teams'],
  ['GLOBAL', 'Stories of all teams'],
];

/** An action that settings may name. */
export interface SettingAction {
  id: number;
  name: string;
  type: string;
}

interface OfActions {
  story: ActiveStory;
  actions: readonly SettingAction[];
}

interface SettingsFieldsProps extends OfActions {
  isDraft: boolean;
  /** Whether it can be disabled elsewhere on the page, after a question. */
  hasSwitch?: boolean;
  /** The team that was chosen before; undefined: that of the story. */
  teamId?: number | undefined;
  /** The runbook as it is typed. */
  runbook: string;
  onRunbook: (text: string) => void;
}

/** All settings of a story, or of a draft of it; `settingsIn` reads them. */
export function SettingsFields(props: SettingsFieldsProps) {
  const { story, isDraft, hasSwitch = false, teamId = story.team_id, actions, runbook, onRunbook } = props;
  const policy = useTestPolicy().data;
  const isAdmin = useMay('manage', story.team_id);
  const mayLoosen = isAdmin || isDraft;
  const isFixed = story.tests_on_publish === 'block' && !mayLoosen;
  return (
    <>
      {!isDraft && <LiveFields story={story} hasSwitch={hasSwitch} teamId={teamId} isAdmin={isAdmin} />}
      <Field name="Description">
        <TextArea name="description" rows={3} className="prose" spellCheck defaultValue={story.description} />
      </Field>
      <Field
        name="Runbook"
        note="Markdown: what to do when the story fails. Failed runs lead here, and failure mails quote it."
      >
        <TextArea
          name="runbook"
          className="prose"
          spellCheck
          rows={6}
          maxLength={MOST_RUNBOOK_CHARACTERS}
          value={runbook}
          onChange={({ target }) => onRunbook(target.value)}
        />
      </Field>
      <Field name="Tags" note="Separate them by commas.">
        <Input name="tags" defaultValue={story.tags.join(', ')} />
      </Field>
      <Field name="Keep events for">
        <Select name="keep" defaultValue={story.keep_events_for}>
          {KEEP_TIMES.map(([seconds, words]) => (
            <option key={seconds} value={seconds}>
              {words}
            </option>
          ))}
        </Select>
      </Field>
      <Field
        name="Subject of runs"
        note="What the list of runs shows, as a template of the first event. Empty: its title, host or id."
      >
        <Input name="run_subject" maxLength={255} spellCheck={false} defaultValue={story.run_subject ?? ''} />
      </Field>
      <Field
        name="When tests fail"
        note={
          isFixed
            ? 'Only a team admin lets the story be published all the same.'
            : 'What a publication does. The live story decides, or the setting for all teams if that is stricter. A team admin loosens it.'
        }
      >
        <Select name="tests_on_publish" defaultValue={story.tests_on_publish ?? ''}>
          {!isFixed && (
            <option value="">
              As set for all teams{policy === undefined ? '' : `: ${POLICY_WORDS[policy].toLowerCase()}`}
            </option>
          )}
          {Object.entries(POLICY_WORDS)
            .filter(([value]) => !isFixed || value === 'block')
            .map(([value, words]) => (
              <option key={value} value={value}>
                {words}
              </option>
            ))}
        </Select>
      </Field>
      <Part name="Failures">
        <Tick name="monitor_failures" defaultChecked={story.monitor_failures}>
          Send a notice when an action fails
        </Tick>
        <Field name="Recipients" note="Email addresses and HTTP or HTTPS URLs, one per line.">
          <TextArea name="recipients" rows={2} defaultValue={story.recipients.join('\n')} />
        </Field>
      </Part>
      <CallFields story={story} actions={actions} />
      <AnswerFields story={story} actions={actions} />
    </>
  );
}

/** What belongs to the live story only. */
function LiveFields(props: { story: ActiveStory; hasSwitch: boolean; teamId: number; isAdmin: boolean }) {
  const { story, hasSwitch, teamId, isAdmin } = props;
  const folders = useFolders().data ?? [];
  const offered = folders.filter(
    ({ team_id: team, content_type: type }) => team === story.team_id && type === 'STORY',
  );
  const teams = useTeamsWith('write');
  const [team, setTeam] = useState(teamId);
  const isMoved = team !== story.team_id;
  const isControlled = story.change_control_enabled && !isAdmin;
  const isHeld = !isAdmin && (isControlled || story.tests_on_publish === 'block');
  return (
    <>
      <Field name="Name">
        <Input name="name" required maxLength={255} defaultValue={story.name} />
      </Field>
      {teams.length > 1 && (
        <Field
          name="Team"
          note={
            isMoved
              ? 'The story leaves its folder. It will find credentials, resources, records and stories of the new team only.'
              : isHeld
                ? 'Only a team admin moves a story that change control or its tests guard.'
                : undefined
          }
        >
          <Select
            name="team"
            value={team}
            disabled={isHeld}
            onChange={({ target }) => setTeam(Number(target.value))}
          >
            {teams.map(({ id, name }) => (
              <option key={id} value={id}>
                {isolated(name)}
              </option>
            ))}
          </Select>
        </Field>
      )}
      <Field name="Folder">
        {/* Folders that arrive later bring their choice along. */}
        <Select key={offered.length} name="folder" defaultValue={story.folder_id ?? ''} disabled={isMoved}>
          <option value="">No folder</option>
          {story.folder_id !== null && !offered.some(({ id }) => id === story.folder_id) && (
            <option value={story.folder_id}>Its folder</option>
          )}
          {offered.map((folder) => (
            <option key={folder.id} value={folder.id}>
              {folderPath(folders, folder.id)}
            </option>
          ))}
        </Select>
      </Field>
      <OwnerField story={story} />
      <div className={styles['switches']}>
        {hasSwitch ? (
          !story.disabled && <input type="hidden" name="enabled" value="on" />
        ) : (
          <Tick name="enabled" defaultChecked={!story.disabled}>
            Enabled
          </Tick>
        )}
        <Tick name="priority" defaultChecked={story.priority}>
          Priority over other stories
        </Tick>
        <Tick name="locked" defaultChecked={story.locked}>
          Locked: actions, links and notes cannot be changed
        </Tick>
        {/* A tick that cannot be changed is not sent. */}
        {isControlled && <input type="hidden" name="change_control" value="on" />}
        <Tick name="change_control" defaultChecked={story.change_control_enabled} disabled={isControlled}>
          Change control: changes only through promoted change requests
          {isControlled && <span className="faint"> · only a team admin switches it off</span>}
        </Tick>
      </div>
    </>
  );
}

/** The one to ask about the story: a person or a team. */
function OwnerField({ story: { owner } }: { story: ActiveStory }) {
  const people = usePeople().data ?? [];
  const { teams } = useSession();
  const chosen = owner === null ? '' : `${owner.type} ${owner.id}`;
  const offered = [
    ...teams.map(({ id, name }) => ({ key: `TEAM ${id}`, group: 'Teams', name })),
    ...people.map(({ id, name }) => ({ key: `USER ${id}`, group: 'People', name })),
  ];
  const isKnown = chosen === '' || offered.some(({ key }) => key === chosen);
  return (
    <Field name="Owner" note="Failed runs and failure mails name the owner.">
      {/* People who arrive later bring their choice along. */}
      <Select key={offered.length} name="owner" defaultValue={chosen}>
        <option value="">Nobody</option>
        {!isKnown && <option value={chosen}>{isolated(owner?.name ?? '')}</option>}
        {['Teams', 'People'].map((group) => (
          <optgroup key={group} label={group}>
            {offered
              .filter((each) => each.group === group)
              .map(({ key, name }) => (
                <option key={key} value={key}>
                  {isolated(name)}
                </option>
              ))}
          </optgroup>
        ))}
      </Select>
    </Field>
  );
}

/** How other stories call it. */
function CallFields({ story, actions }: OfActions) {
  const { teams } = useSession();
  const [access, setAccess] = useState(accessOf(story));
  return (
    <Part name="Calls from other stories">
      <Field name="Who can call it">
        <Select name="access" value={access} onChange={({ target }) => setAccess(target.value as CallAccess)}>
          {ACCESS.map(([key, words]) => (
            <option key={key} value={key}>
              {words}
            </option>
          ))}
        </Select>
      </Field>
      {access === 'SPECIFIC_TEAMS' && (
        <Choices
          label="Teams"
          name="teams"
          options={teams.filter(({ id }) => id !== story.team_id).map(({ slug, name }) => [slug, name])}
          chosen={story.shared_team_slugs}
        />
      )}
      <EntryField story={story} actions={actions} />
      <ActionChoices
        actions={actions}
        label="Exits: their events are returned"
        name="exits"
        chosen={story.exit_agents}
      />
      <Tick name="skill_confirmation" defaultChecked={story.send_to_story_skill_use_requires_confirmation}>
        Ask before use as a skill
        <span className="faint"> · only for other platforms: Fabula stores and exports it</span>
      </Tick>
    </Part>
  );
}

function EntryField({ story, actions }: OfActions) {
  return (
    <Field name="Entry: calls start here">
      <Select name="entry" defaultValue={story.entry_agent_id ?? ''}>
        <option value="">None</option>
        {optionsOf(actions).map(([id, name]) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </Select>
    </Field>
  );
}

/** How its webhooks respond. */
function AnswerFields({ story, actions }: OfActions) {
  return (
    <Part name="Responses of webhooks">
      <Tick name="synchronous" defaultChecked={story.synchronous_webhooks_enabled}>
        Webhooks respond with the result of the run
      </Tick>
      <ActionChoices
        actions={actions}
        label="Webhooks that do so (none: all)"
        name="api_entries"
        type="Agents::WebhookAgent"
        chosen={story.api_entry_action_ids}
      />
      <ActionChoices
        actions={actions}
        label="Actions whose first event is the result (none: the exits)"
        name="api_exits"
        chosen={story.api_exit_action_ids}
      />
    </Part>
  );
}

function Part({ name, children }: { name: string; children: ReactNode }) {
  return (
    <fieldset className={styles['part']}>
      <legend>{name}</legend>
      {children}
    </fieldset>
  );
}

/** Returns the actions to choose from, those of a type if it is given. */
const optionsOf = (actions: readonly SettingAction[], type?: string): [string, string][] =>
  actions
    .filter((action) => type === undefined || action.type === type)
    .map(({ id, name }) => [String(id), name]);

function ActionChoices({
  actions,
  type,
  chosen,
  ...rest
}: {
  actions: readonly SettingAction[];
  label: string;
  name: string;
  type?: string;
  chosen: readonly number[];
}) {
  return <Choices {...rest} options={optionsOf(actions, type)} chosen={chosen.map(String)} />;
}

interface ChoicesProps {
  label: string;
  name: string;
  options: readonly (readonly [string, string])[];
  chosen: readonly string[];
}

/** Several of these. */
function Choices({ label, name, options, chosen }: ChoicesProps) {
  return (
    <div role="group" aria-label={label} className={styles['choices']}>
      <span className="field-name">{label}</span>
      <div className={styles['ticks']}>
        {options.map(([value, words]) => (
          <Tick key={value} name={name} value={value} defaultChecked={chosen.includes(value)}>
            {words}
          </Tick>
        ))}
      </div>
      {options.length === 0 && <span className="faint">None to choose from.</span>}
    </div>
  );
}
