/** One change of a zone: from then on its clocks show this offset, and its time has this name. */
interface Change {
  /** Seconds since 1970; undefined: before all changes. */
  at?: number;
  offsetSeconds: number;
  name: string;
}

/** A span of time in which every offset has one name. */
interface Era {
  from?: number;
  names: Map<number, string>;
}

const LINE = 150;

/**
 * Returns the source of `zone-name-data.ts`: the zones of the tz database whose times have names in letters, since 1970.
 * `index` is the text of `tzdata.zi`, which lists all zones, `read` returns a zone's file (RFC 9636).
 */
export function zoneNamePage(index: string, read: (zone: string) => Buffer): string {
  const version = /^# version (\S+)/.exec(index)?.[1] ?? 'unknown';
  const zones = index.split('\n').flatMap((line) => /^(?:Z|L \S+) (\S+)/.exec(line)?.[1] ?? []);
  const groups = new Map<string, string[]>();
  for (const zone of zones.toSorted()) {
    const key = textOf(erasOf(changesIn(read(zone))));
    if (/[A-Za-z]/.test(key)) groups.set(key, [...(groups.get(key) ?? []), zone]);
  }
  const lines = [...groups].flatMap(([key, members]) => linesOf(key, members));
  return `/**
 * Abbreviations of the tz database ${version}, since 1970 (\`npm run zones\` writes this file). A line has the names of a zone's
 * times, each with its offset from UTC in minutes, and behind \`=\` the zones. An offset without a name has none in
 * letters. Behind \`|\` is the second since 1970 from which other names hold.
 */
export const ZONE_NAMES = \`
${lines.toSorted().join('\n')}
\`;
`;
}

function linesOf(key: string, zones: string[]): string[] {
  const lines: string[] = [];
  for (const zone of zones) {
    const last = lines.at(-1);
    if (last === undefined || last.length + zone.length > LINE) lines.push(`${key} = ${zone}`);
    else lines[lines.length - 1] = `${last} ${zone}`;
  }
  return lines;
}

function textOf(eras: Era[]): string {
  return eras
    .map(({ from, names }, index) => {
      const list = [...names].map(([seconds, name]) => `${/^[A-Z]/i.test(name) ? name : ''}@${seconds / 60}`);
      return (index === 0 ? list : [from, ...list]).join(' ');
    })
    .join('|');
}

function erasOf(changes: Change[]): Era[] {
  const eras: Era[] = [];
  for (const { at, offsetSeconds, name } of changes) {
    const era = eras.at(-1);
    const known = era?.names.get(offsetSeconds);
    if (era === undefined || (known !== undefined && known !== name)) {
      eras.push({ ...(at === undefined ? {} : { from: at }), names: new Map([[offsetSeconds, name]]) });
    } else {
      era.names.set(offsetSeconds, name);
    }
  }
  return eras;
}

/** Returns the changes of the second block of a TZif file, with 64-bit times: what held in 1970, and what came later. */
function changesIn(file: Buffer): Change[] {
  const first = counts(file, 0);
  const start =
    44 +
    first.times * 5 +
    first.types * 6 +
    first.letters +
    first.leaps * 8 +
    first.standard +
    first.universal;
  const { times, types, letters } = counts(file, start);
  const moments = start + 44;
  const table = moments + times * 9;
  const names = file.toString('latin1', table + types * 6, table + types * 6 + letters);
  const change = (type: number): Change => {
    const at = table + type * 6;
    const name = names.slice(file[at + 5]).split('\0', 1)[0] ?? '';
    return { offsetSeconds: file.readInt32BE(at), name };
  };
  const changes: Change[] = [change(0)];
  for (let index = 0; index < times; index++) {
    const at = Number(file.readBigInt64BE(moments + index * 8));
    if (at <= 0) changes.length = 0;
    changes.push({ at, ...change(file[moments + times * 8 + index] ?? 0) });
  }
  return changes;
}

function counts(file: Buffer, start: number) {
  const [universal = 0, standard = 0, leaps = 0, times = 0, types = 0, letters = 0] = [0, 1, 2, 3, 4, 5].map(
    (index) => file.readUInt32BE(start + 20 + index * 4),
  );
  return { universal, standard, leaps, times, types, letters };
}
