import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { SubmittedChange } from '../../../../../generated'
import { RichText } from '../../../parts/changes/rich-text'
import { Button } from '../../../parts/controls/button'
import { closeMenu, Menu } from '../../../parts/controls/menu'
import { Icon } from '../../../parts/marks/icon'
import { changeWords } from '../../../words/changes'
import { strategyWords } from '../../../words/effects/effects'
import { type Json, listOf, objectOf, textIn } from '../../../words/json'
import { textOf } from '../../../words/spans'
import { focusLast, Value } from '../../authoring/fields'
import {
  actionWords,
  choicesOf,
  currentPayload,
  needsFlag,
  type Offered,
  payloadSchema,
  strategiesOf,
} from '../../authoring/model/payload'
import { fits, toSent } from '../../authoring/model/schema'
import type { FlagEdit } from '../model/edit'
import { Shown } from './edited'
import { type Part, useEditing } from './editing'

/** Actions that have controls of their own. */
const controlled: ReadonlySet<string> = new Set([
  'updateEnabled',
  'updateStrategy',
  'deleteStrategy',
  'reorderStrategy',
  'patchVariant',
  'addDependency',
  'deleteDependency',
  'archiveFeature',
])

/** A change as it is being written. */
interface Written {
  readonly action: string
  readonly payload?: Json
}

interface OthersProps {
  readonly part: Part
  readonly others: FlagEdit['others']
}

/** Release plans, milestones, safeguards and all that has no control here: in words, and as the form of its schema. */
export function Others({ part, others = [] }: OthersProps) {
  const { change, offered, only, segmentNames, place } = useEditing()
  const menu = useRef<HTMLDetailsElement>(null)
  const element = useRef<HTMLElement>(null)
  const added = useRef(false)
  useLayoutEffect(() => {
    if (!added.current) return
    added.current = false
    const forms = element.current?.querySelectorAll('.other-change')
    forms?.[forms.length - 1]?.querySelector<HTMLElement>('input, select, textarea, button')?.focus()
  })
  const { base } = part.edit
  const plans = listOf(base.releasePlans).map((one) => textIn(one, 'name') || textIn(one, 'id') || String(one))
  const milestones = listOf(base.milestoneStrategies).map(objectOf)
  const choices = only === undefined ? offered.filter((one) => needsFlag(one) && !controlled.has(one.action)) : []
  if (choices.length + others.length + plans.length + milestones.length === 0) return null
  return (
    <section ref={element} aria-labelledby="others">
      <div class="sec-head">
        <h2 id="others">Release plans and more</h2>
      </div>
      <fieldset class="panel part" aria-labelledby="others">
        {plans.length > 0 && <Shown label="Release plans">{plans.join(', ')}</Shown>}
        {milestones.length > 0 && (
          <Shown label="When a milestone starts">
            {milestones.map((one) => (
              <p key={textIn(one, 'id')}>
                <bdi>{textIn(one, 'milestoneId') || textIn(one, 'title')}</bdi>{' '}
                <RichText words={strategyWords(one, segmentNames)} />
              </p>
            ))}
          </Shown>
        )}
        {others.map((one, index) => (
          <OtherChange
            key={index}
            {...{ part, index }}
            value={one}
            onRemove={() => change(withOthers((all) => all.filter((_, at) => at !== index)))}
          />
        ))}
        {choices.length > 0 && (
          <div class="add-other">
            <Menu
              menu={menu}
              class=""
              button={
                <>
                  <Icon name="plus" />
                  Add another change
                </>
              }
            >
              {choices.map((one) => (
                <button
                  key={one.action}
                  type="button"
                  onClick={() => {
                    closeMenu(menu)
                    added.current = true
                    const payload = currentPayload(one, base, '')
                    const written = {
                      action: one.action,
                      feature: place.feature,
                      ...(payload !== undefined && { payload }),
                    }
                    change(withOthers((all) => [...all, written]))
                  }}
                >
                  {actionWords(one)}
                </button>
              ))}
            </Menu>
          </div>
        )}
      </fieldset>
    </section>
  )
}

const withOthers =
  (make: (all: readonly Written[]) => readonly Written[]) =>
  (edit: FlagEdit): FlagEdit => ({
    ...edit,
    others: make((edit.others ?? []) as readonly Written[]) as readonly SubmittedChange[],
  })

interface OtherChangeProps {
  readonly part: Part
  readonly index: number
  readonly value: SubmittedChange
  readonly onRemove?: () => void
}

/** A change in the form of its schema, or as JSON. */
export function OtherChange({ part, index, value, onRemove }: OtherChangeProps) {
  const { change, offered } = useEditing()
  const { action, payload }: Written = value
  const found: Offered | undefined = offered.find((one) => one.action === action)
  const ofForm = found && payloadSchema(found)
  const [isJson, setJson] = useState(ofForm === undefined)
  const { base } = part.edit
  const schema = isJson || ofForm === undefined ? {} : ofForm
  const isForm = ofForm !== undefined && fits(ofForm, toSent({}, payload))
  const words = changeWords({ action, payload: objectOf(payload) })
  const title = found ? actionWords(found) : [words.what, words.how].join(' ')
  const describe = (id: string) => {
    const one = strategiesOf(action, base).find((strategy) => strategy.id === id)
    return one ? `${textIn(one, 'title')} ${textOf(strategyWords(one))}` : ''
  }
  const write = (next: Json) =>
    change(withOthers((all) => all.map((one, at) => (at === index ? { ...one, payload: next } : one))))
  // Another strategy has other values.
  const edit = (next: Json) => {
    const id = textIn(next, 'id')
    const isOther = !isJson && found !== undefined && id !== '' && id !== textIn(payload, 'id')
    write(isOther && choicesOf(action, 'id', base).includes(id) ? currentPayload(found, base, id) : next)
  }
  return (
    <div class="other-change">
      {found?.schema.properties?.payload === undefined && !isJson ? (
        <p class="strong">{title}</p>
      ) : (
        <Value
          form={{ errors: part.errors, choices: (name) => choicesOf(action, name, base), describe }}
          label={isJson ? `${title} as JSON` : title}
          name="payload"
          path={`/others/${index}`}
          schema={schema}
          value={payload}
          onChange={edit}
        />
      )}
      <p class="flow">
        {ofForm && (
          <Button
            size="tiny"
            icon="braces"
            off={isJson && !isForm}
            onClick={() => {
              setJson(!isJson)
              write(toSent(schema, payload))
            }}
          >
            {isJson ? 'Edit as a form' : 'Edit as JSON'}
          </Button>
        )}
        {ofForm && !isForm && <span class="muted small">A form cannot show this JSON.</span>}
        {onRemove && (
          <Button
            size="tiny"
            icon="trash"
            onClick={({ currentTarget }) => {
              focusLast(currentTarget)
              onRemove()
            }}
          >
            Remove <span class="vh">{title}</span>
          </Button>
        )}
      </p>
    </div>
  )
}
