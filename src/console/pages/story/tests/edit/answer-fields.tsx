import { Plus, Trash2 } from 'lucide-react';
import { useRef, useState } from 'react';
import { focusFieldIn } from '../../../../inspector/form/field-focus.js';
import { isSame } from '../../../../story-model/same-value.js';
import { Button, IconButton } from '../../../../ui/form/button.js';
import { Input, Select, TextArea } from '../../../../ui/form/field.js';
import { MOST_ANSWERS, type TestAnswer } from '../model/test-shape.js';
import { answerOfText, looksBroken, textOfAnswer } from './answer-text.js';
import styles from './edit.module.css';
import { useTestFields } from './test-fields.js';

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'];
const MOST_STATUS = 599;
/** The keys that have a field. */
const SHOWN_KEYS = new Set(['method', 'url', 'status', 'answer']);

interface AnswerFieldsProps {
  answers: TestAnswer[];
  onAnswers: (answers: TestAnswer[]) => void;
}

/** The responses that a test brings for HTTP requests; the first one that fits counts. */
export function AnswerFields({ answers, onAnswers }: AnswerFieldsProps) {
  const { isReadOnly } = useTestFields();
  const list = useRef<HTMLDivElement>(null);
  return (
    <section className="stack" aria-label="Responses to requests">
      <h3>Responses to requests</h3>
      <p className="soft">
        Nothing is sent. The first response that fits counts; a request without one fails the test.
      </p>
      {answers.length > 0 && (
        <div className="stack" ref={list}>
          {answers.map((answer, at) => (
            // A response is its place.
            <Answer
              key={at}
              answer={answer}
              number={at + 1}
              onChange={(next) => onAnswers(answers.with(at, next))}
              onRemove={() => onAnswers(answers.toSpliced(at, 1))}
            />
          ))}
        </div>
      )}
      {!isReadOnly && answers.length < MOST_ANSWERS && (
        <div>
          <Button
            onClick={() => {
              onAnswers([...answers, { url: '', status: 200, answer: {} }]);
              focusFieldIn(() => list.current?.lastElementChild, 'input.mono');
            }}
          >
            <Plus aria-hidden="true" /> Add a response
          </Button>
        </div>
      )}
    </section>
  );
}

interface AnswerProps {
  answer: TestAnswer;
  number: number;
  onChange: (answer: TestAnswer) => void;
  onRemove: () => void;
}

function Answer({ answer, number, onChange, onRemove }: AnswerProps) {
  const { isReadOnly } = useTestFields();
  const { method = '', url, status = 200 } = answer;
  const isPattern = typeof url !== 'string';
  const address = isPattern ? url.regex : url;
  const others = Object.keys(answer).filter((key) => !SHOWN_KEYS.has(key));
  return (
    <fieldset className={styles['answer']} disabled={isReadOnly}>
      <legend className="unseen">Response {number}</legend>
      <div className="row row-wrap">
        <Select
          aria-label="Method"
          value={method.toUpperCase()}
          onChange={({ target }) => onChange(withKey(answer, 'method', target.value || undefined))}
        >
          <option value="">any method</option>
          {METHODS.map((each) => (
            <option key={each}>{each}</option>
          ))}
        </Select>
        <Select
          aria-label="How the URL is compared"
          value={isPattern ? 'pattern' : 'text'}
          onChange={({ target }) =>
            onChange({ ...answer, url: target.value === 'pattern' ? { regex: address } : address })
          }
        >
          <option value="text">URL, * for any text</option>
          <option value="pattern">URL by a pattern</option>
        </Select>
        <label className="row">
          <span className="soft">Status</span>
          <Input
            type="number"
            title="0 for no response"
            className={styles['status']}
            min={0}
            max={MOST_STATUS}
            value={status}
            onChange={({ target }) => {
              if (Number.isInteger(target.valueAsNumber))
                onChange({ ...answer, status: target.valueAsNumber });
            }}
          />
        </label>
        <span className="grow" />
        {!isReadOnly && (
          <IconButton label={`Remove response ${number}`} onClick={onRemove}>
            <Trash2 />
          </IconButton>
        )}
      </div>
      <Input
        aria-label={isPattern ? 'Pattern of the URL' : 'URL, * for any text'}
        placeholder={isPattern ? '^https://api\\.example\\.com/' : 'https://api.example.com/*'}
        className="mono"
        value={address}
        onChange={({ target }) =>
          onChange({ ...answer, url: isPattern ? { regex: target.value } : target.value })
        }
      />
      {Object.hasOwn(answer, 'base64') ? (
        <p className="soft">The body is base64. Change it as JSON.</p>
      ) : (
        <AnswerBody answer={answer} onChange={onChange} />
      )}
      {others.length > 0 && (
        <p className="faint wrap">It also has {others.join(', ')}: change them as JSON.</p>
      )}
    </fieldset>
  );
}

function AnswerBody({ answer, onChange }: Pick<AnswerProps, 'answer' | 'onChange'>) {
  const [text, setText] = useState(() => textOfAnswer(answer.answer));
  const [known, setKnown] = useState(answer.answer);
  if (!isSame(known, answer.answer)) {
    setKnown(answer.answer);
    setText(textOfAnswer(answer.answer));
  }
  return (
    <>
      <TextArea
        aria-label="Body: JSON, or text"
        placeholder="Body: JSON, or text"
        rows={Math.min(10, Math.max(2, text.split('\n').length))}
        disabled={answer.status === 0}
        value={text}
        onChange={({ target }) => {
          const next = answerOfText(target.value);
          setText(target.value);
          setKnown(next);
          onChange(withKey(answer, 'answer', next));
        }}
      />
      {looksBroken(text) && <p className="warn">This is not JSON, so it is sent as text.</p>}
    </>
  );
}

/** Returns the response with this key; undefined takes the key out. */
function withKey<Key extends 'method' | 'answer'>(
  answer: TestAnswer,
  key: Key,
  value: TestAnswer[Key] | undefined,
): TestAnswer {
  const { [key]: _old, ...rest } = answer;
  return (value === undefined ? rest : { ...answer, [key]: value }) as TestAnswer;
}
