import type { ApiKey } from '../../../../../clients/typescript/api.js';
import { Badge } from '../../../ui/words/badge.js';
import { Button } from '../../../ui/form/button.js';
import { Time } from '../../../ui/words/time.js';
import { useTeamName } from '../team-filter.js';

/** Keys, a row each; of a key its first characters are shown. */
export function KeyTable({ keys, onRevoke }: { keys: ApiKey[]; onRevoke: (key: ApiKey) => void }) {
  return (
    <table className="table">
      <thead>
        <tr>
          <th className="fill">Key</th>
          <th className="wide">Type</th>
          <th className="wide">Last used</th>
          <th>Status</th>
          <th>
            <span className="unseen">Controls</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {keys.map((key) => (
          <KeyRow key={key.id} apiKey={key} onRevoke={() => onRevoke(key)} />
        ))}
      </tbody>
    </table>
  );
}

function KeyRow({ apiKey, onRevoke }: { apiKey: ApiKey; onRevoke: () => void }) {
  const teamName = useTeamName();
  const { name, prefix, kind, team_id: team, last_used_at: used } = apiKey;
  const isOver = apiKey.revoked_at !== null || isPast(apiKey.expires_at);
  return (
    <tr>
      <td className="fill">
        <div className="cut line-name" title={name}>
          {name}
        </div>
        <code className="soft">{prefix}…</code>
      </td>
      <td className="wide soft short" title={teamName(team)}>
        {kind} {team !== null && `· ${teamName(team)}`}
      </td>
      <td className="wide">
        <Time at={used} />
      </td>
      <td>
        <KeyState apiKey={apiKey} />
      </td>
      <td>
        {!isOver && (
          <Button look="danger" aria-label={`Revoke ${name}`} onClick={onRevoke}>
            Revoke
          </Button>
        )}
      </td>
    </tr>
  );
}

function KeyState({ apiKey: { revoked_at: revoked, expires_at: end } }: { apiKey: ApiKey }) {
  if (revoked !== null) return <Badge>revoked</Badge>;
  if (isPast(end)) return <Badge tone="warn">expired</Badge>;
  if (end === null) return <Badge tone="ok">active</Badge>;
  return (
    <>
      <Badge tone="ok">active</Badge> <Time at={end} prefix="expires " />
    </>
  );
}

const isPast = (time: string | null) => time !== null && Date.parse(time) <= Date.now();
