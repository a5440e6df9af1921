import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { FlagView } from '../../../../generated'
import type { Missing } from '../../core/api/answers'
import type { Loaded } from '../../core/api/query'
import { RichText } from '../../parts/changes/rich-text'
import { Button } from '../../parts/controls/button'
import { Field } from '../../parts/controls/field'
import { LoadFailed, NotLoaded } from '../../parts/messages/load-failed'
import { Notice } from '../../parts/messages/notice'
import { strategyWords } from '../../words/effects/effects'
import { isBlank, listOf, shown, textIn } from '../../words/json'
import { textOf } from '../../words/spans'
import { Suggested, Value } from './fields'
import { messagesByPath } from './model/answers'
import { untyped } from './model/draft'
import { actionWords, choicesOf, type Offered, strategiesOf } from './model/payload'
import { labelOf } from './model/schema'
import type { ChangeForm as Form } from './model/use-change'
import { useFlagNames } from './use-found'

interface ChangeFormProps {
  readonly form: Form
  /** The problems that the server found. */
  readonly problems: readonly Missing[]
  /** It is being sent: what would be typed now would not be part of it. */
  readonly isBusy: boolean
  /** Flag and action are those of the change that is edited. */
  readonly isEdit?: boolean
}

/** The flag with its current state, the action, and the fields of its payload. */
export function ChangeForm({ form, problems, isBusy, isEdit = false }: ChangeFormProps) {
  const { draft, write, actions, offered, flag, segment, schema, payload, edit, toggleJson, isForm } = form
  const [typed, setTyped] = useState(draft.feature)
  const names = useFlagNames(draft, isEdit ? '' : typed)
  const element = useRef<HTMLDivElement>(null)
  const errors = new Map([...messagesByPath(problems), ...unknownSegment(form)])
  useLayoutEffect(() => {
    const { activeElement } = document
    if (!isBusy || !element.current?.contains(activeElement)) return
    // The browser takes the focus off what is inert.
    return () => (activeElement as HTMLElement).focus()
  }, [isBusy])
  useLayoutEffect(() => {
    if (problems.length > 0) element.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus()
  }, [problems])
  const isLoaded = actions.data != null
  useLayoutEffect(() => {
    element.current?.closest('dialog')?.querySelector<HTMLElement>('input, select, textarea')?.focus()
  }, [isLoaded])
  if (actions.data == null) return <NotLoaded loaded={actions} subject="the actions" />
  const state = flag.data?.state
  const choices = (name: string) => choicesOf(draft.action, name, state)
  const describe = (id: string) => {
    const found = strategiesOf(draft.action, state).find((one) => one.id === id)
    return found ? `${textIn(found, 'title')} ${textOf(strategyWords(found))}` : ''
  }
  const known = actions.data.actions as readonly Offered[]
  return (
    <div class="dlg-fields" ref={element} inert={isBusy}>
      {!isEdit && (
        <>
          <Suggested
            label="Flag"
            help="Not needed for segments."
            error={errors.get('/feature') ?? unknownFlag(form)}
            value={draft.feature}
            options={names}
            onType={setTyped}
            onChoose={(feature) => write({ feature, ...untyped })}
          />
          <Field label="Action" error={errors.get('action')}>
            {(control) => (
              <select
                {...control}
                value={draft.action}
                onChange={({ currentTarget }) => write({ action: currentTarget.value, ...untyped, isJson: false })}
              >
                <option value="">Choose…</option>
                {known.map((one) => (
                  <option key={one.action} value={one.action}>
                    {actionWords(one)}
                  </option>
                ))}
              </select>
            )}
          </Field>
        </>
      )}
      <div role="status">
        <Edited form={form} />
      </div>
      <CurrentFailed loaded={flag} showsGone={isEdit} />
      <CurrentFailed loaded={segment} />
      {flag.data && <FlagState flag={flag.data} environment={draft.environment} />}
      {schema && (
        <>
          <Value
            form={{ errors, choices, describe }}
            label={draft.isJson ? 'Change as JSON' : 'Change'}
            name="payload"
            path="/payload"
            schema={schema}
            value={payload}
            onChange={edit}
          />
          {offered && (
            <p>
              <Button size="tiny" icon="braces" off={!isForm} onClick={toggleJson}>
                {draft.isJson ? 'Edit as a form' : 'Edit as JSON'}
              </Button>{' '}
              {!isForm && <span class="muted small">A form cannot show this JSON.</span>}
            </p>
          )}
        </>
      )}
    </div>
  )
}

/** What was edited while the change was being written: both values where it alters the same field. */
function Edited({ form: { edited, useCurrent } }: Pick<ChangeFormProps, 'form'>) {
  if (edited.length === 0) return null
  return (
    <Notice
      tone="care"
      icon="warn"
      title="This was edited in the meantime"
      actions={edited.some(({ isOwn }) => isOwn) && <Button onClick={useCurrent}>Use the current values</Button>}
    >
      <ul>
        {edited.map(({ path, before, now, own, isOwn }) => (
          <li key={path}>
            {path.split('/').slice(1).map(labelOf).join(', ')}:{' '}
            {isOwn ? (
              <>
                you have <bdi>{named(own)}</bdi>, now it is <bdi>{named(now)}</bdi>
              </>
            ) : (
              <>
                was <bdi>{named(before)}</bdi>, now it is <bdi>{named(now)}</bdi>
              </>
            )}
          </li>
        ))}
      </ul>
      What you typed is kept. All other fields have the current values.
    </Notice>
  )
}

const named = (value: unknown): string => (isBlank(value) ? 'none' : shown(value))

interface CurrentFailedProps {
  readonly loaded: Loaded<unknown>
  /** No field has the message. */
  readonly showsGone?: boolean
}

function CurrentFailed({ loaded, showsGone = false }: CurrentFailedProps) {
  if (loaded.error?.kind === 'gone' && !showsGone) return null
  return <LoadFailed loaded={loaded} subject="the current values" />
}

function unknownSegment({ segment }: Form): readonly (readonly [path: string, message: string])[] {
  return segment.error?.kind === 'gone' ? [['/payload/id', segment.error.message]] : []
}

function unknownFlag({ flag }: Form): string | undefined {
  return flag.error?.kind === 'gone' ? flag.error.message : undefined
}

/** How the flag is now. */
function FlagState({ flag, environment }: { readonly flag: FlagView; readonly environment: string }) {
  const { name, state } = flag
  if (state === null) return null
  return (
    <div class="small">
      <p>
        Now <bdi class="flag">{name}</bdi> is <b>{state.archived ? 'archived' : state.enabled ? 'on' : 'off'}</b> in{' '}
        <bdi>{environment}</bdi>.
      </p>
      <ul>
        {listOf(state.strategies).map((one) => (
          <li key={textIn(one, 'id')}>
            <bdi>{textIn(one, 'title') || textIn(one, 'id')}</bdi>: <RichText words={strategyWords(one)} />
          </li>
        ))}
      </ul>
    </div>
  )
}
