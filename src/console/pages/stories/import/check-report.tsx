import type { CheckFinding, StoryCheck } from '../../../../../clients/typescript/api.js';
import { Badge, type Tone } from '../../../ui/words/badge.js';
import { nounWords } from '../../../ui/words/figures.js';
import { isolated } from '../../../text/isolated.js';

const TONES: Record<CheckFinding['level'], Tone> = { error: 'bad', warning: 'warn', hint: 'info' };
/** The worst first. */
const LEVELS: readonly CheckFinding['level'][] = ['error', 'warning', 'hint'];

/** The findings of the check: why it is refused, what does not run, what it needs, and each fault with its place. */
export function CheckReport({ check }: { check: StoryCheck }) {
  const { refusals, warnings, story, needs } = check;
  const needed = [
    ...needs.credentials.map((name) => `credential ${name}`),
    ...needs.resources.map((name) => `resource ${name}`),
    ...needs.stories.map((name) => `story ${name}`),
  ];
  // A fault is told once: one that makes an action fail is a finding, a type that never runs is not.
  const stopped = (story?.actions ?? []).filter(({ state }) => state === 'import_only');
  const findings = (story?.actions ?? []).flatMap((action) =>
    action.findings
      .filter(({ message }) => !stopped.includes(action) || message !== action.reason)
      .map((finding) => ({ action: action.name, ...finding })),
  );
  findings.sort((one, other) => LEVELS.indexOf(one.level) - LEVELS.indexOf(other.level));
  return (
    <div className="stack">
      <p className="row row-wrap check-verdict">
        <Badge tone={check.ok ? 'ok' : 'bad'}>{inWords(check)}</Badge>
        {story !== null && (
          <span className="soft">
            {nounWords(story.actions.length, 'action')}, {nounWords(story.links, 'link')}
          </span>
        )}
      </p>
      <Part
        title="Cannot be imported"
        lines={refusals.map(({ message, details }) => ({ text: message, place: details }))}
      />
      <Part title="Missing in the team" lines={needed.map((text) => ({ text, place: null }))} />
      <Part
        title="Actions that cannot run here"
        lines={stopped.map(({ name, reason }) => ({ text: reason ?? 'It fails.', place: name }))}
      />
      <Part
        title="Findings"
        lines={findings.map(({ action, level, message, option, line }) => ({
          text: message,
          place: [action, option, line === null ? '' : `line ${line}`]
            .filter(Boolean)
            .map(isolated)
            .join(' · '),
          level,
        }))}
      />
      <Part title="Notices" lines={warnings.map((text) => ({ text, place: null }))} />
    </div>
  );
}

interface Line {
  text: string;
  place: string | null;
  level?: CheckFinding['level'];
}

function Part({ title, lines }: { title: string; lines: Line[] }) {
  if (lines.length === 0) return null;
  return (
    <section className="check-part">
      <h3>
        {title} <span className="faint">{lines.length}</span>
      </h3>
      <ul>
        {lines.map(({ text, place, level }, index) => (
          // Two findings may be the same text at the same place.
          <li key={index} className="wrap">
            {level !== undefined && <Badge tone={TONES[level]}>{level}</Badge>} <bdi>{text}</bdi>
            {place !== null && place !== '' && <span className="faint"> {place}</span>}
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Returns in a few words whether a story can be imported and will run. */
function inWords(check: StoryCheck): string {
  if (check.refusals.length > 0) return 'cannot be imported';
  if (!check.ok) return 'can be imported, but parts will not work';
  const found = (check.story?.actions ?? []).some(({ findings }) =>
    findings.some(({ level }) => level !== 'hint'),
  );
  if (found || check.warnings.length > 0) return 'can be imported, with findings';
  const isMissing = Object.values(check.needs).some((names) => names.length > 0);
  return isMissing ? 'can be imported, with missing values' : 'no problems found';
}
