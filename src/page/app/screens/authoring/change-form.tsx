import { useLayoutEffect, useRef } from 'preact/hooks'
import type { Missing } from '../../core/api/answers'
import { Button } from '../../parts/controls/button'
import { LoadFailed, NotLoaded } from '../../parts/messages/load-failed'
import { Notice } from '../../parts/messages/notice'
import { strategyWords } from '../../words/effects/effects'
import { isBlank, shown, textIn } from '../../words/json'
import { textOf } from '../../words/spans'
import { Value } from './fields'
import { messagesByPath } from './model/answers'
import type { EditedField } from './model/merge'
import { choicesOf, strategiesOf } from './model/payload'
import { labelOf } from './model/schema'
import type { ChangeForm as Form } from './model/use-change'
import './authoring.css'

interface ChangeFormProps {
  readonly form: Form
  /** The problems that the server found. */
  readonly problems: readonly Missing[]
}

/** The fields of a change, and what was edited while it was being written. */
export function ChangeForm({ form, problems }: ChangeFormProps) {
  const { draft, actions, offered, flag, segment, schema, payload, edit, toggleJson, isForm } = form
  const element = useRef<HTMLDivElement>(null)
  const errors = new Map([...messagesByPath(problems), ...unknownSegment(form)])
  const isLoaded = actions.data !== undefined
  useLayoutEffect(() => {
    element.current?.closest('dialog')?.querySelector<HTMLElement>('input, select, textarea')?.focus()
  }, [isLoaded])
  if (actions.data === undefined) return <NotLoaded loaded={actions} subject="the actions" />
  const state = flag.data?.state
  const choices = (name: string) => choicesOf(draft.action, name, state)
  const describe = (id: string) => {
    const found = strategiesOf(draft.action, state).find((one) => one.id === id)
    return found ? `${textIn(found, 'title')} ${textOf(strategyWords(found))}` : ''
  }
  return (
    <div class="dlg-fields" ref={element}>
      <div role="status">
        <Edited edited={form.edited} onUseCurrent={form.useCurrent} />
      </div>
      <LoadFailed loaded={flag} subject="the current values" />
      {segment.error?.kind !== 'gone' && <LoadFailed loaded={segment} subject="the current values" />}
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
    </div>
  )
}

interface EditedProps {
  readonly edited: readonly EditedField[]
  /** Takes the current values where both sides edited a field. */
  readonly onUseCurrent: () => void
}

/** What was edited while the change was being written: both values where it alters the same field. */
export function Edited({ edited, onUseCurrent }: EditedProps) {
  if (edited.length === 0) return null
  return (
    <Notice
      tone="care"
      icon="warn"
      title="This was edited in the meantime"
      actions={edited.some(({ isOwn }) => isOwn) && <Button onClick={onUseCurrent}>Use the current values</Button>}
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

function unknownSegment({ segment }: Form): readonly (readonly [path: string, message: string])[] {
  return segment.error?.kind === 'gone' ? [['/payload/id', segment.error.message]] : []
}
