import type { RecordField } from '../../../../../clients/typescript/api.js';
import { Badge } from '../../../ui/words/badge.js';
import { Time } from '../../../ui/words/time.js';
import { isoOfRecord } from '../query/local-time.js';
import { valueText } from '../value-text.js';

/** One value, as its type is read best. */
export function RecordCell({ type, value }: { type: RecordField['result_type']; value: unknown }) {
  const text = valueText(value);
  if (text === '') return <span className="faint">–</span>;
  const time = type === 'TIMESTAMP' ? isoOfRecord(value) : undefined;
  if (time !== undefined) return <Time at={time} />;
  if (type === 'TEXT_ENUM' || type === 'BOOLEAN') return <Badge title={text}>{text}</Badge>;
  return <span title={text.slice(0, 2_000)}>{text.slice(0, 500)}</span>;
}
