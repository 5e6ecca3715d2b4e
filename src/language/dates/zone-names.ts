import { ZONE_NAMES } from './zone-name-data.js';

/** A span of time in which an offset of a zone has one name. */
interface Era {
  /** Seconds since 1970. */
  from: number;
  /** By the offset in seconds; empty for a name without letters. */
  names: Map<number, string>;
}

let zones: Map<string, Era[]> | undefined;

/**
 * Returns the abbreviation of the time that a zone's clocks show, as in the tz database: `CEST`, or the offset (`+0530`,
 * `-03`) of a time without a name. `zone` is an IANA name in any letter case.
 */
export function zoneNameAt(zone: string, epochMs: number, offsetSeconds: number): string {
  zones ??= read(ZONE_NAMES);
  const eras = zones.get(zone.toLowerCase()) ?? [];
  const current = eras.findLastIndex(({ from }) => from * 1_000 <= epochMs);
  // Node's rules of the zone may be older or newer than the names: then the closest era with that offset counts.
  const nearest = [...eras.slice(0, current + 1).toReversed(), ...eras.slice(current + 1)];
  const name = nearest.find(({ names }) => names.has(offsetSeconds))?.names.get(offsetSeconds);
  return name === undefined || name === '' ? numericName(offsetSeconds) : name;
}

function numericName(offsetSeconds: number): string {
  const minutes = Math.floor(Math.abs(offsetSeconds) / 60);
  const [hh, mm] = [Math.floor(minutes / 60), minutes % 60].map((part) => String(part).padStart(2, '0'));
  return `${offsetSeconds < 0 ? '-' : '+'}${hh}${mm === '00' ? '' : mm}`;
}

function read(text: string): Map<string, Era[]> {
  return new Map(
    text
      .trim()
      .split('\n')
      .flatMap((line) => {
        const [eras = '', names = ''] = line.split(' = ');
        const list = eras.split('|').map(eraOf);
        return names.split(' ').map((zone): [string, Era[]] => [zone.toLowerCase(), list]);
      }),
  );
}

function eraOf(text: string): Era {
  const parts = text.split(' ');
  const from = parts.find((part) => !part.includes('@'));
  const names = parts.filter((part) => part.includes('@')).map((part) => part.split('@'));
  return {
    from: from === undefined ? -Infinity : Number(from),
    names: new Map(names.map(([name = '', minutes]) => [Number(minutes) * 60, name])),
  };
}
