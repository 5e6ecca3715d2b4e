import styles from './request-import.module.css';

/** The request that was read, in a line, and what could not be kept of it. */
export function ImportSummary({
  options,
  remarks,
}: {
  options: Record<string, unknown>;
  remarks: readonly string[];
}) {
  return (
    <>
      <p className="wrap">
        <code>
          {String(options['method']).toUpperCase()} {String(options['url'])}
        </code>
      </p>
      {remarks.length > 0 && (
        <ul className={`${styles['remarks']} warn`} aria-label="Remarks">
          {remarks.map((remark) => (
            <li key={remark} className="wrap">
              {remark}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
