import { useState } from 'react';
import type { OpenapiRequest } from '../../../../../../clients/typescript/api.js';
import type { StoryLanguage } from '../../../../request-import/literal-text.js';
import { Button } from '../../../../ui/form/button.js';
import { Field, Select, Tick } from '../../../../ui/form/field.js';
import { ImportForm } from '../request-import-form.js';
import type { ImportProps } from '../import-props.js';
import { neededForOpenapi } from '../needed-credentials.js';
import { isOptional, withParameters } from './operation-parameters.js';
import styles from '../request-import.module.css';

interface OpenapiRequestFormProps extends ImportProps {
  request: OpenapiRequest;
  /** The chosen server; undefined: the first. */
  server: string | undefined;
  language: StoryLanguage;
  onServer: (url: string) => void;
  onBack: () => void;
}

/** One operation: its server, its parameters and its credentials. */
export function OpenapiRequestForm(props: OpenapiRequestFormProps) {
  const { request, server, language, button, onServer, onBack, onImport, onClose } = props;
  const { name, description, parameters, servers, credentials, remarks } = request;
  const [wanted, setWanted] = useState(() => new Set(parameters.filter(({ included }) => included)));
  return (
    <ImportForm
      action={{ name, options: withParameters(request.options, parameters, wanted, language) }}
      needed={neededForOpenapi(credentials)}
      remarks={remarks}
      language={language}
      button={button}
      onImport={onImport}
      onClose={onClose}
      foot={<Button onClick={onBack}>Back</Button>}
    >
      <h3 className="wrap">{name}</h3>
      {description !== null && <p className="soft wrap">{description}</p>}
      {servers.length > 1 && (
        <Field name="Server">
          <Select value={server ?? servers[0]?.url} onChange={({ target }) => onServer(target.value)}>
            {servers.map(({ url, description: about }) => (
              <option key={url} value={url}>
                {about === null ? url : `${url} (${about})`}
              </option>
            ))}
          </Select>
        </Field>
      )}
      {parameters.length > 0 && (
        <section className={styles['parameters']} aria-label="Parameters">
          <h3>Parameters</h3>
          {parameters.map((parameter) => (
            <div key={`${parameter.in} ${parameter.name}`}>
              <Tick
                checked={wanted.has(parameter)}
                disabled={!isOptional(parameter)}
                onChange={({ target }) => {
                  const next = new Set(wanted);
                  if (target.checked) next.add(parameter);
                  else next.delete(parameter);
                  setWanted(next);
                }}
              >
                <code>{parameter.name}</code>
              </Tick>
              <span className="faint">
                {parameter.in}
                {parameter.required ? ', required' : ''}
              </span>
              {parameter.description !== null && <span className="soft wrap">{parameter.description}</span>}
            </div>
          ))}
        </section>
      )}
    </ImportForm>
  );
}
