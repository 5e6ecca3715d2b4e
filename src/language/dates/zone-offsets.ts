/**
 * Abbreviations of time zones, by their offset from UTC in minutes. An abbreviation with several meanings has the one of
 * Ruby's `Date._parse`: IST is Indian, BST British, CST American. NST and NDT are those of the tz database.
 */
const ABBREVIATIONS = `
-660 NUT SST
-600 AHST CKT HAST HST TAHT
-540 AKST GAMT HADT HDT YST
-510 MART
-480 AKDT PST YDT
-420 MST PDT
-360 CST EAST GALT MDT
-300 ACT CDT CIST COT EASST ECT EST PET
-240 AST BOT CIDST CLT EDT FKT GYT VET
-210 NST
-180 ADT ART BRT CLST FKST GFT PMST PYST ROTT SRT UYT WARST WGT
-150 NDT
-120 BRST FNT PMDT UYST WGST
-60 AZOT CVT EGT
0 AZOST EGST GMT UT UTC WET Z
60 BST CET FWT MET MEWT MEZ SWT WAT WEST
120 CAT CEST EET FST MEST MESZ SAST WAST
180 EAT EEST FET IDT MSK SYOT TRT
210 IRST
240 AZT GET KUYT MSD MUT RET SAMT SCT
270 AFT IRDT
300 AQTT AZST MAWT MVT ORAT PKT TFT TJT TMT UZT YEKT
330 IST
345 NPT
360 ALMT BTT IOT KGT OMST PKST QYZT VOST YEKST
390 CCT MMT
420 CXT DAVT HOVT ICT KRAT NOVST NOVT OMSST WIB
480 AWST BNT CAST CHOT HKT HOVST IRKT KRAST MYT PHT SGT ULAT WADT WITA
525 ACWST
540 AWDT CHOST HKST IRKST JST KST PWT TLT ULAST WIT YAKT
570 ACST
600 AEST CHST CHUT DDUT GST PGT VLAT YAKST YAPT
630 ACDT LHST
660 AEDT EADT KOST LHDT MAGT NCT NFT PONT SAKT SBT SRET VLAST VUT
720 ANAST ANAT FJT GILT MAGST MHT NFDT NRT NZST NZT PETST PETT TVT WAKT WFT
765 CHAST
780 FJST NZDT PHOT TKT TOT
825 CHADT
840 LINT TOST
`;

const OFFSETS = new Map(
  ABBREVIATIONS.trim()
    .split('\n')
    .flatMap((line) => {
      const [minutes, ...names] = line.split(' ');
      return names.map((name): [string, number] => [name, Number(minutes) * 60]);
    }),
);

/** Source of a pattern for an abbreviation, ignoring letter case. */
export const ZONE_NAME_PATTERN = `(?:${[...OFFSETS.keys()].toSorted((a, b) => b.length - a.length).join('|')})(?![a-z])`;
const DIGITS = String.raw`[+-]\d\d(?::?\d\d(?::?\d\d)?)?(?!\d)`;
const OFFSET = /([+-])(\d\d?)(?::?(\d\d)(?::?(\d\d))?)?$/;

/**
 * Source of a pattern for the zone of a written time: `Z`, `+02:00`, `CEST`, `GMT+2`, `+0000 UTC` (Go, ignoring letter
 * case). It has no groups.
 */
export const ZONE_PATTERN = `(?:Z(?![a-z])|(?:UTC?|GMT)?${DIGITS}(?:\\s+${ZONE_NAME_PATTERN})?|(?:UTC?|GMT)[+-]\\d(?!\\d)(?::\\d\\d)?|${ZONE_NAME_PATTERN})`;

/** A zone's offset from UTC, and its name: empty if it has none. */
export interface Offset {
  offsetSeconds: number;
  zoneName: string;
}

export const UTC: Offset = { offsetSeconds: 0, zoneName: 'UTC' };

/** Returns the offset of a zone that `ZONE_PATTERN` matches; undefined: none, or not a valid one (`+99:00`). */
export function offsetOf(zone: string): Offset | undefined {
  const [digits, name = ''] = zone.trim().split(/\s+/);
  const known = OFFSETS.get(digits?.toUpperCase() ?? '');
  if (known !== undefined) return namedOffset(known, digits?.toUpperCase() ?? '');
  const [matched, sign, hours, minutes = 0, seconds = 0] = OFFSET.exec(digits ?? '') ?? [];
  if (matched === undefined || Number(hours) > 23 || Number(minutes) > 59 || Number(seconds) > 59)
    return undefined;
  const size = Number(hours) * 3_600 + Number(minutes) * 60 + Number(seconds);
  return namedOffset(sign === '-' ? -size : size, name.toUpperCase());
}

/** Like Ruby, time without an offset is UTC, also if it was written as GMT or `+00:00`. */
function namedOffset(offsetSeconds: number, name: string): Offset {
  const isUtc = offsetSeconds === 0 && /^(?:GMT|UTC?|Z|)$/.test(name);
  return isUtc ? UTC : { offsetSeconds, zoneName: name };
}
