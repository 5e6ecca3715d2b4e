import { Play, Trash2 } from 'lucide-react';
import { useCallback, useMemo, useState } from 'react';
import { useLocation } from 'wouter';
import type { Action, StoryTest, StoryTestResult } from '../../../../../../clients/typescript/api.js';
import { isChanged, requireUnchanged, useKeptEdit } from '../../../../api/use-kept-edit.js';
import { JsonField } from '../../../../inspector/text-field/json-field.js';
import { useKeys } from '../../../../keys/use-keys.js';
import { BackLink } from '../../../../ui/back-link.js';
import { Button, IconButton } from '../../../../ui/form/button.js';
import { NewerText } from '../../../../ui/form/newer-text.js';
import { GUARD_WORDS } from '../../story-guards.js';
import { testPath, viewPath } from '../../story-address.js';
import { type Place, useGraph } from '../../story-data.js';
import { expectFound } from '../model/expect-found.js';
import { EMPTY_TEST, formFault, freeName, textOfTest } from '../model/test-shape.js';
import { ResultView } from '../results/result-view.js';
import { testTextPlace, useDeleteTest, useKnownResults, useRunTest, useSaveTest } from '../tests-data.js';
import { useTestRights } from '../use-test-rights.js';
import styles from './edit.module.css';
import { readJson } from './read-json.js';
import { TestFieldsContext, useTestFields } from './test-fields.js';
import { TestForm } from './test-form.js';

interface TestPaneProps {
  place: Place;
  /** The name in the address; undefined: a new one is written. */
  name: string | undefined;
  /** Undefined: it is new, or was renamed or deleted elsewhere while it was changed here. */
  test: StoryTest | undefined;
  /** All tests of the story. */
  tests: readonly StoryTest[];
}

const NO_ACTIONS: readonly Action[] = [];
/** The button that led here is gone, and with it the focus. It is one function, so that it runs once. */
const focusOn = (heading: HTMLElement | null) => heading?.focus();

/** One test, to be read, changed and run. It runs as it is written, saved or not. */
export function TestPane({ place, name, test, tests }: TestPaneProps) {
  const [, go] = useLocation();
  const { storyId, draftId } = place;
  const { mayWrite, mayRun, guard } = useTestRights(place);
  const actions = useGraph(place).data?.actions ?? NO_ACTIONS;
  const stored = useMemo(() => textOfTest(test ?? newTest(tests)), [test, tests]);
  const edit = useKeptEdit(testTextPlace(place, name), stored);
  const read = useMemo(() => readTest(edit.text), [edit.text]);
  const written = read.test;
  const [isJson, setJson] = useState(false);
  const broken = useBrokenFields();
  const { ran, running, run } = useRuns(place, test, stored);
  const result = ran?.text === edit.text ? ran.result : undefined;
  const list = viewPath(storyId, 'tests', draftId);
  const saving = useSaveTest(place, {
    before: (now) => {
      if (test === undefined) return;
      const own = now.find(({ name }) => name === test.name);
      requireUnchanged('test', own === undefined ? '' : textOfTest(own), edit);
    },
    onDone: (saved) => {
      edit.forget();
      if (saved.name !== name) go(testPath(storyId, draftId, saved.name), { replace: true });
    },
  });
  const deleting = useDeleteTest(place, () => {
    edit.forget();
    go(list, { replace: true });
  });
  const isGone = name !== undefined && test === undefined && !saving.isPending && !deleting.isPending;
  const discard = () => {
    edit.forget();
    // Nothing is left to show.
    if (isGone) go(list, { replace: true });
  };
  const asForm = !isJson && read.fault === undefined && read.formFault === undefined;
  const isWhole = written !== undefined && broken.size === 0;
  const runNow = () => {
    if (written !== undefined && isWhole && mayRun) run(written, edit.text);
  };
  useKeys('page', { 'Mod+enter': runNow });
  useKeys('field', { 'Mod+enter': runNow });
  const fields = useMemo(() => ({ isReadOnly: !mayWrite, onBroken: broken.tell }), [mayWrite, broken.tell]);
  const isOpen = test === undefined || isChanged(edit);
  // The proposal of a new one changes with the names of the others.
  const isContested = test !== undefined && edit.isContested;
  return (
    <TestFieldsContext value={fields}>
      <form
        className={styles['pane']}
        onSubmit={(event) => {
          event.preventDefault();
          if (written !== undefined) saving.mutate({ test: written, replaces: test?.name, result });
        }}
      >
        <header className={styles['head']}>
          <BackLink href={list}>Tests</BackLink>
          <h2 className="grow wrap" tabIndex={-1} ref={focusOn}>
            {name ?? 'New test'}
          </h2>
          <div className="row" role="group" aria-label="Shown as">
            <Button
              look="quiet"
              aria-pressed={asForm}
              disabled={broken.size > 0}
              onClick={() => setJson(false)}
            >
              Form
            </Button>
            <Button
              look="quiet"
              aria-pressed={!asForm}
              disabled={broken.size > 0}
              onClick={() => setJson(true)}
            >
              JSON
            </Button>
          </div>
          {mayRun && (
            <Button disabled={!isWhole || running} title="Ctrl+Enter" onClick={runNow}>
              <Play aria-hidden="true" /> {running ? 'Running…' : 'Run'}
            </Button>
          )}
          {mayWrite && (
            <>
              <Button
                type="submit"
                look="main"
                disabled={!isWhole || !isOpen || isContested || saving.isPending}
              >
                Save
              </Button>
              {isChanged(edit) && <Button onClick={discard}>Discard changes</Button>}
              {test !== undefined && (
                <IconButton
                  label="Delete the test"
                  disabled={deleting.isPending}
                  onClick={() => deleting.mutate(test)}
                >
                  <Trash2 />
                </IconButton>
              )}
            </>
          )}
        </header>
        {guard !== undefined && <p className="soft">{GUARD_WORDS[guard]} Change tests in a draft.</p>}
        {isGone && (
          <p className="warn" role="alert">
            This test was renamed or deleted elsewhere. Your text is kept: save it as a test of its own, or
            discard it.
          </p>
        )}
        {isContested && <NewerText noun="test" newer={stored} onTake={edit.forget} onKeep={edit.keepMine} />}
        {broken.size > 0 && <p className="warn">Correct the marked fields to run or save the test.</p>}
        <div className={styles['parts']}>
          <section className={`${styles['result']} stack`} aria-label="Result">
            <h3>Result</h3>
            <ResultView
              result={ran?.result}
              isRunning={running}
              isOld={ran?.text !== edit.text}
              actions={actions}
              place={place}
              onExpect={
                mayWrite && written !== undefined
                  ? (differences) => {
                      const next = expectFound(written, differences);
                      edit.setText(textOfTest(next));
                      run(next, textOfTest(next));
                    }
                  : undefined
              }
            />
          </section>
          <div className={`${styles['fields']} stack`}>
            {asForm && written !== undefined ? (
              <TestForm
                test={written}
                actions={actions}
                differences={ran?.result.differences ?? []}
                onTest={(next) => edit.setText(textOfTest(next))}
              />
            ) : (
              <TestText
                text={edit.text}
                fault={read.fault}
                formFault={isJson ? undefined : read.formFault}
                onText={(text) => {
                  edit.setText(text);
                  // The form does not take its place while somebody types.
                  setJson(true);
                }}
              />
            )}
          </div>
        </div>
      </form>
    </TestFieldsContext>
  );
}

const newTest = (tests: readonly StoryTest[]): StoryTest => ({
  ...EMPTY_TEST,
  name: freeName(
    'New test',
    tests.map(({ name }) => name),
  ),
});

interface ReadTest {
  test?: StoryTest;
  fault?: { message: string; at: number };
  formFault?: string;
}

/** Returns the test that a text holds, why it holds none, and why the form cannot show it. */
function readTest(text: string): ReadTest {
  const { value, fault } = readJson(text);
  if (fault !== undefined) return { fault };
  const wrong = formFault(value);
  // A test that the form cannot show may still be one: the server says what is wrong with it.
  return { test: value as StoryTest, ...(wrong !== undefined && { formFault: wrong }) };
}

interface TestTextProps {
  text: string;
  fault: { message: string; at: number } | undefined;
  /** Why the form cannot show it, if it should. */
  formFault: string | undefined;
  onText: (text: string) => void;
}

function TestText({ text, fault, formFault: wrong, onText }: TestTextProps) {
  const { isReadOnly } = useTestFields();
  return (
    <>
      {wrong !== undefined && (
        <p className="warn wrap" role="alert">
          The form cannot show this test: {wrong}
        </p>
      )}
      <JsonField
        isTall
        label="Test as JSON"
        text={text}
        fault={fault}
        isReadOnly={isReadOnly}
        onText={onText}
      />
    </>
  );
}

/** Returns how many fields cannot be read, and what tells of one. */
function useBrokenFields() {
  const [names, setNames] = useState<ReadonlySet<string>>(new Set());
  const tell = useCallback(
    (name: string, isBroken: boolean) =>
      setNames((before) => {
        if (before.has(name) === isBroken) return before;
        return new Set(isBroken ? [...before, name] : [...before].filter((each) => each !== name));
      }),
    [],
  );
  return { size: names.size, tell };
}

/** Returns the result that is shown: of the last run here, else what the page knows of the stored test. */
function useRuns(place: Place, test: StoryTest | undefined, stored: string) {
  const known = useKnownResults(place)?.results.get(test?.name ?? '');
  const [own, setOwn] = useState<{ text: string; result: StoryTestResult }>();
  const running = useRunTest(place);
  const run = (next: StoryTest, text: string) =>
    running.mutate(
      { test: next, isSaved: test !== undefined && text === stored },
      { onSuccess: ({ results: [result] }) => result !== undefined && setOwn({ text, result }) },
    );
  const ran: { text: string; result: StoryTestResult } | undefined =
    own ?? (known === undefined ? undefined : { text: stored, result: known });
  return { ran, running: running.isPending, run };
}
