import { useCallback, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import { decidingParameter, percentages } from '../../../../../domain/content/reach'
import { kindOf, kinds } from '../../../../../domain/content/strategy-kinds'
import { inserted } from '../../../../../domain/diff/fields'
import { closeMenu, Menu } from '../../../parts/controls/menu'
import { Icon } from '../../../parts/marks/icon'
import { say } from '../../../parts/messages/status-line'
import { strategyWords } from '../../../words/effects/effects'
import { type Json, type JsonObject, listOf, objectOf, textIn } from '../../../words/json'
import { textOf } from '../../../words/spans'
import { inOrderOf, isEqual, keysOf } from '../../authoring/model/merge'
import { optionsOf, type Schema } from '../../authoring/model/schema'
import { type FlagEdit, newId, undo, withoutPlaces } from '../model/edit'
import { Conflicts, Removed, Was } from './edited'
import { errorAt, type Part, schemaOf, useEditing, withPart } from './editing'
import { nameOf, StrategyCard, strategyPath } from './strategy'

const strategiesIn = (state: JsonObject): readonly JsonObject[] => listOf(state.strategies).map(objectOf)

/** The strategies in their order as cards; removed ones stay in sight. */
export function Strategies({ part }: { readonly part: Part }) {
  const editing = useEditing()
  const { change, place, segmentNames } = editing
  const { own } = part.edit
  const base = useMemo(() => withoutPlaces(part.edit.base), [part.edit.base])
  const list = strategiesIn(own)
  const before = new Map(strategiesIn(base).map((one) => [textIn(one, 'id'), one]))
  const element = useRef<HTMLElement>(null)
  const cards = useFocusOfCards(element)
  const latest = useRef(list)
  latest.current = list
  const known = useRef(before)
  known.current = before
  const onMove = useCallback(
    (id: string, by: 1 | -1) => {
      const from = latest.current.findIndex((one) => one.id === id)
      const to = from + by
      const one = latest.current[from]
      if (one === undefined || latest.current[to] === undefined) return
      cards.keepFocus()
      say(`${nameOf(one)} moved to place ${to + 1} of ${latest.current.length}.`)
      change((edit) => withPart(edit, 'strategies', (all) => without(all, id).toSpliced(to, 0, one)))
    },
    [change],
  )
  const add = useCallback(
    (make: (edit: FlagEdit) => JsonObject, after = Number.POSITIVE_INFINITY) => {
      change((edit) => {
        const one = { ...make(edit), id: newId(edit) }
        cards.focus(one.id)
        return withPart(edit, 'strategies', (all) => listOf(all).toSpliced(after, 0, one))
      })
    },
    [change],
  )
  const onDuplicate = useCallback(
    (id: string) => {
      const from = latest.current.findIndex((one) => one.id === id)
      const { id: _, title, ...copy } = latest.current[from] ?? {}
      add(() => ({ ...copy, ...(title ? { title: `${title} (copy)` } : {}) }), from + 1)
    },
    [add],
  )
  const onRemove = useCallback(
    (id: string) => {
      const one = latest.current.find((other) => other.id === id)
      cards.focus(id, known.current.has(id) ? 'restore' : 'add')
      say(`${nameOf(objectOf(one))} removed.`)
      change((edit) => withPart(edit, 'strategies', (all) => without(all, id)))
    },
    [change],
  )
  if (own.strategies === undefined && base.strategies === undefined) return null
  const order = inserted(keysOf(list), keysOf(base.strategies))
  const places = new Map(list.map((one, index) => [textIn(one, 'id'), index + 1]))
  const addSchema = schemaOf(editing, '/strategies', 'addStrategy')
  const canReorder = schemaOf(editing, '/strategies', 'reorderStrategy') !== undefined
  const isReordered = !isEqual(orderIn(base, own), orderIn(own, base))
  return (
    <section ref={element} class="edited" aria-labelledby="strategies">
      <div class="sec-head">
        <h2 id="strategies">Strategies</h2>
        <span class="muted small">{list.length > 1 && 'A user who matches any of them gets the flag.'}</span>
        {isReordered && (
          <Was
            name="order"
            words="in another order"
            onUndo={() =>
              change((edit) =>
                withPart(edit, 'strategies', (all) =>
                  inOrderOf(keysOf(withoutPlaces(edit.base).strategies), listOf(all)),
                ),
              )
            }
          />
        )}
      </div>
      <Conflicts
        part={{ ...part, conflicts: part.conflicts.filter(({ path }) => path === '/strategies') }}
        path="/strategies"
        name="order of the strategies"
        words={(all) =>
          keysOf(all)
            .map((id) => nameOf(list.find((one) => one.id === id) ?? before.get(id) ?? {}))
            .join(', ')
        }
      />
      {list.length === 0 && order.size === 0 && <p class="panel nothing">No strategies.</p>}
      <ol class="strategies">
        {[...order].map((id) => {
          const one = list.find((other) => other.id === id)
          const was = before.get(id)
          const path = strategyPath(id)
          if (one === undefined) {
            return (
              <li key={id} class="removed panel" data-strategy={id}>
                <Removed
                  name={nameOf(was ?? {})}
                  onRestore={() => {
                    cards.focus(id)
                    change((edit) => undo(edit, path))
                  }}
                >
                  <bdi>{nameOf(was ?? {})}</bdi> <span class="small">{textOf(strategyWords(was, segmentNames))}</span>
                </Removed>
                <Conflicts
                  part={part}
                  path={path}
                  name="strategy"
                  words={(value) => (value === undefined ? 'removed' : textOf(strategyWords(value)))}
                />
              </li>
            )
          }
          const canMove = list.length > 1 && (was === undefined || canReorder)
          return (
            <li key={id}>
              <StrategyCard
                own={one}
                before={was}
                {...problemsAt(part, path)}
                place={places.get(id) ?? 0}
                count={list.length}
                canMove={canMove}
                {...{ onMove, onDuplicate, onRemove }}
              />
            </li>
          )
        })}
      </ol>
      {errorAt(part, '/strategies', true) && <p class="error">{errorAt(part, '/strategies', true)}</p>}
      {addSchema && (
        <AddStrategy
          kinds={kindsIn(addSchema.properties?.name)}
          onAdd={(name) => add(() => blankStrategy(name, place.feature))}
        />
      )}
    </section>
  )
}

const without = (strategies: Json, id: string): readonly Json[] =>
  listOf(strategies).filter((one) => textIn(one, 'id') !== id)

/** The ids of the strategies that the other state has too, in the order of this one. */
function orderIn(state: JsonObject, other: JsonObject): readonly string[] {
  const known = new Set(keysOf(other.strategies))
  return keysOf(state.strategies).filter((id) => known.has(id))
}

/** Puts the focus where it belongs after the next rendering: moved and removed elements lose it. */
function useFocusOfCards(element: { readonly current: HTMLElement | null }) {
  const [next] = useState(() => ({ find: undefined as (() => HTMLElement | null | undefined) | undefined }))
  useLayoutEffect(() => {
    const found = next.find?.()
    next.find = undefined
    if (found && found !== document.activeElement) found.focus()
  })
  return useMemo(() => {
    const cardOf = (id: string) => element.current?.querySelector(`[data-strategy="${CSS.escape(id)}"]`)
    const controls = {
      card: 'input, select, textarea, [role=switch], button',
      restore: 'del + button',
    }
    return {
      keepFocus() {
        const { activeElement } = document
        next.find = () => activeElement as HTMLElement | null
      },
      focus(id: string, part: keyof typeof controls | 'add' = 'card') {
        next.find = () =>
          part === 'add'
            ? element.current?.querySelector<HTMLElement>('.add-strategy summary')
            : cardOf(id)?.querySelector<HTMLElement>(controls[part])
      },
    }
  }, [])
}

const quiet: Pick<Part, 'errors' | 'conflicts'> = { errors: new Map(), conflicts: [] }

/** What is wrong with one strategy; the same object for all that have nothing wrong. */
function problemsAt({ errors, conflicts }: Part, path: string): Pick<Part, 'errors' | 'conflicts'> {
  const isInside = (one: string) => one === path || one.startsWith(`${path}/`)
  const own = [...errors].filter(([one]) => isInside(one))
  const both = conflicts.filter((one) => isInside(one.path))
  return {
    errors: own.length === 0 ? quiet.errors : new Map(own),
    conflicts: both.length === 0 ? quiet.conflicts : both,
  }
}

/** Unleash has replaced these by the gradual rollout. */
const isOutdated = (name: string): boolean => name.startsWith('gradualRollout')

/** The kinds to choose from: those of the schema, else the usual ones. */
function kindsIn(schema: Schema = {}): readonly string[] {
  const named = optionsOf(schema, '').filter((one) => one !== '')
  return named.length > 0 ? named : ['flexibleRollout', ...Object.keys(kinds)].filter((one) => !isOutdated(one))
}

function blankStrategy(name: string, feature = ''): JsonObject {
  const deciding = decidingParameter({ name })?.name
  const parameters = {
    ...(deciding !== undefined && { [deciding]: percentages.has(deciding) ? '100' : '' }),
    ...(name === 'flexibleRollout' && { stickiness: 'default', groupId: feature }),
  }
  return { name, constraints: [], parameters }
}

interface AddStrategyProps {
  readonly kinds: readonly string[]
  readonly onAdd: (name: string) => void
}

function AddStrategy({ kinds, onAdd }: AddStrategyProps) {
  const menu = useRef<HTMLDetailsElement>(null)
  const button = (
    <>
      <Icon name="plus" />
      Add a strategy
    </>
  )
  return (
    <div class="add-strategy">
      <Menu menu={menu} class="" button={button}>
        {[...new Set(kinds)].map((name) => (
          <button
            key={name}
            type="button"
            onClick={() => {
              closeMenu(menu)
              onAdd(name)
            }}
          >
            {kindOf(name)}
          </button>
        ))}
      </Menu>
    </div>
  )
}
