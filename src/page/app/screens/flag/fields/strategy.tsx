import type { ComponentChildren } from 'preact'
import { useId, useMemo, useRef } from 'preact/hooks'
import { escaped } from '../../../../../domain/content/json-pointer'
import { decidingParameter, percentages } from '../../../../../domain/content/reach'
import { kindOf, kinds } from '../../../../../domain/content/strategy-kinds'
import { RichText } from '../../../parts/changes/rich-text'
import { Button } from '../../../parts/controls/button'
import { TextField } from '../../../parts/controls/field'
import { Toggle } from '../../../parts/controls/toggle'
import { Icon, type IconName } from '../../../parts/marks/icon'
import { strategyWords } from '../../../words/effects/effects'
import { labelOf } from '../../../words/fields/labels'
import { listParameters } from '../../../words/fields/parameters'
import { lowered } from '../../../words/fields/row'
import { isObject, type JsonObject, listOf, objectOf, textIn } from '../../../words/json'
import { textOf } from '../../../words/spans'
import { isEdited, isEditedAt, withOwn } from '../model/edit'
import { Constraints } from './constraints'
import { Conflicts, Edited, valueWords } from './edited'
import { errorAt, type Part, schemaOf, useEditing } from './editing'
import { isOffered, OtherParameters, Parameters } from './parameters'
import { Segments } from './segments'
import { Variants } from './variants'

export interface StrategyProps extends Pick<Part, 'errors' | 'conflicts'> {
  readonly own: JsonObject
  /** As it was; undefined for one that was added. */
  readonly before: JsonObject | undefined
  readonly place: number
  readonly count: number
  readonly canMove: boolean
  readonly onMove: (id: string, by: 1 | -1) => void
  readonly onDuplicate: (id: string) => void
  readonly onRemove: (id: string) => void
}

export const strategyPath = (id: string): string => `/strategies/${escaped(id)}`

export const nameOf = (strategy: JsonObject): string => textIn(strategy, 'title') || kindOf(textIn(strategy, 'name'))

/** Rendered again only if something of this strategy is different: a flag can have many. */
export function StrategyCard(props: StrategyProps) {
  return useMemo(() => <Strategy {...props} />, Object.values(props))
}

function Strategy({ own, before, place, count, errors, conflicts, canMove, ...on }: StrategyProps) {
  const editing = useEditing()
  const { change, segmentNames } = editing
  const title = useId()
  const id = textIn(own, 'id')
  const path = strategyPath(id)
  const isNew = before === undefined
  const strategies = (one: JsonObject | undefined) => ({ strategies: one ? [one] : [] })
  const part: Part = { edit: { base: strategies(before), own: strategies(own), targets: {} }, errors, conflicts, isNew }
  const action = isNew ? 'addStrategy' : 'updateStrategy'
  const schema = (name: string) => schemaOf(editing, path, action, name)
  const parameters = objectOf(own.parameters)
  const main = mainParameters(own)
  const usual = [...main, 'stickiness', 'groupId']
  const state = { part, path: `${path}/parameters`, value: parameters, schema: schema('parameters') }
  // The form of the schema has the parameters of a kind that only the host knows.
  const ofForm =
    Object.hasOwn(kinds, textIn(own, 'name')) || state.schema?.additionalProperties === false ? undefined : state.schema
  const offered = own.name === 'flexibleRollout' ? usual.filter((name) => isOffered(state.schema, name)) : []
  const more = [...offered, ...Object.keys(parameters)]
  const details = [...new Set(more)].filter((name) => !main.includes(name) && (!ofForm || usual.includes(name)))
  const canTitle = schema('title') !== undefined
  const hasVariants = schema('variants') !== undefined || listOf(own.variants).length > 0
  const words = nameOf(own)
  const canRemove = isNew || schemaOf(editing, path, 'deleteStrategy') !== undefined
  const canAdd = schemaOf(editing, path, 'addStrategy') !== undefined
  const status = isNew ? 'new' : isEdited(part.edit) ? 'edited' : ''
  return (
    <fieldset
      class={`strategy panel ${status}`}
      aria-labelledby={title}
      data-strategy={id}
      onKeyDown={(event) => {
        if (!event.altKey || !canMove || (event.key !== 'ArrowUp' && event.key !== 'ArrowDown')) return
        // There, the keys open a list.
        if (event.target instanceof Element && event.target.matches('select, textarea, [list]')) return
        event.preventDefault()
        on.onMove(id, event.key === 'ArrowUp' ? -1 : 1)
      }}
    >
      <div class="strategy-head">
        <div>
          <h3 id={title}>
            <span class="muted">{place}. </span>
            <bdi>{words}</bdi>
            {status && <span class="badge">{status}</span>}
          </h3>
          <p class="soft small">
            <RichText words={strategyWords(own, segmentNames)} />
          </p>
        </div>
        <div class="strategy-tools">
          {(schema('disabled') !== undefined || own.disabled === true) && (
            <Edited
              {...at('disabled')}
              name={`whether ${words} is in use`}
              words={(off) => (off === true ? 'switched off' : 'in use')}
            >
              <Toggle
                label={`In use: ${words}`}
                value={own.disabled !== true}
                off={schema('disabled') === undefined}
                words={['In use', 'Switched off']}
                onChange={(isUsed) => change((edit) => withOwn(edit, `${path}/disabled`, !isUsed))}
              />
            </Edited>
          )}
          {canMove && (
            <>
              <IconButton
                icon="arrowUp"
                label={`Move ${words} up`}
                keys="Alt+ArrowUp"
                off={place === 1}
                onClick={() => on.onMove(id, -1)}
              />
              <IconButton
                icon="arrowDown"
                label={`Move ${words} down`}
                keys="Alt+ArrowDown"
                off={place === count}
                onClick={() => on.onMove(id, 1)}
              />
            </>
          )}
          {canAdd && <IconButton icon="copy" label={`Duplicate ${words}`} onClick={() => on.onDuplicate(id)} />}
          {canRemove && <IconButton icon="trash" label={`Remove ${words}`} onClick={() => on.onRemove(id)} />}
        </div>
      </div>
      {errorAt(part, path, true) && <p class="error">{errorAt(part, path, true)}</p>}
      <OtherConflicts part={part} path={path} />
      <Parameters {...state} names={main} />
      <div class="audience">
        <Constraints {...at('constraints')} schema={schema('constraints')} />
        <Segments {...at('segments')} canEdit={schema('segments') !== undefined} />
      </div>
      {ofForm && <OtherParameters {...state} schema={ofForm} except={usual} />}
      <More
        part={part}
        words={[...(canTitle ? ['title'] : []), ...details.map(labelOf), ...(hasVariants ? ['variants'] : [])]}
        paths={['title', 'variants', ...details.map((name) => `parameters/${name}`)].map((name) => `${path}/${name}`)}
      >
        <Title {...at('title')} canEdit={canTitle} />
        <Parameters {...state} names={details} />
        <Variants
          {...at('variants')}
          label="Variants of the strategy"
          schema={schema('variants')}
          stickiness={textIn(parameters, 'stickiness') || 'default'}
        />
      </More>
    </fieldset>
  )

  function at(name: string) {
    return { part, path: `${path}/${name}`, value: own[name] }
  }
}

/** The percentage or the list that says whom the strategy reaches. */
function mainParameters(strategy: JsonObject): readonly string[] {
  const present = Object.keys(objectOf(strategy.parameters)).filter(
    (name) => percentages.has(name) || listParameters.has(name),
  )
  return [...new Set([decidingParameter(strategy)?.name ?? [], present].flat())]
}

interface IconButtonProps {
  readonly icon: IconName
  readonly label: string
  readonly off?: boolean
  /** They do the same in all of the card. */
  readonly keys?: string
  readonly onClick: () => void
}

function IconButton({ label, keys, ...button }: IconButtonProps) {
  const title = keys === undefined ? label : `${label} (${keys.replace('Arrow', '')})`
  return <Button kind="quiet" class="icon-btn" aria-label={label} aria-keyshortcuts={keys} title={title} {...button} />
}

interface TitleProps {
  readonly part: Part
  readonly path: string
  readonly value: unknown
  readonly canEdit: boolean
}

function Title({ part, path, value, canEdit }: TitleProps) {
  const { change } = useEditing()
  const text = typeof value === 'string' ? value : ''
  if (!canEdit) return null
  return (
    <Edited part={part} path={path} name="title">
      <TextField
        label="Title"
        value={text}
        error={errorAt(part, path)}
        onText={(next) => change((edit) => withOwn(edit, path, next))}
      />
    </Edited>
  )
}

interface MoreProps {
  readonly part: Part
  /** Of the fields inside. */
  readonly paths: readonly string[]
  /** What it holds. */
  readonly words: readonly string[]
  readonly children: ComponentChildren
}

/** Fields that are seldom edited. It opens where one of them is edited or wrong. */
function More({ part, paths, words, children }: MoreProps) {
  const { edit, conflicts, isNew } = part
  const opened = useRef(false)
  opened.current ||= paths.some((path) => {
    const isInside = (one: string) => one === path || one.startsWith(`${path}/`)
    const isTouched = !isNew && isEditedAt(edit, path)
    return isTouched || errorAt(part, path) !== undefined || conflicts.some((one) => isInside(one.path))
  })
  if (words.length === 0) return null
  return (
    <details class="more" open={opened.current || undefined}>
      <summary>
        <Icon name="chevronRight" class="fold" />
        More <span class="muted small thin">{words.map(lowered).join(', ')}</span>
      </summary>
      <div class="dlg-fields">{children}</div>
    </details>
  )
}

const withControls = ['parameters', 'constraints', 'segments', 'title', 'variants', 'disabled']

/** What both sides edited, where no field of the card shows it. */
function OtherConflicts({ part, path }: { readonly part: Part; readonly path: string }) {
  const conflicts = part.conflicts.filter((one) => !withControls.some((name) => one.path.startsWith(`${path}/${name}`)))
  const words = (value: unknown) =>
    value === undefined ? 'removed' : isObject(value) ? textOf(strategyWords(value)) : valueWords(value)
  return <Conflicts part={{ ...part, conflicts }} path={path} name="strategy" words={words} />
}
