import fc from 'fast-check'
import { namesIn } from '../../../src/domain/content/json-pointer'
import { compareFields } from '../../../src/domain/diff/fields'
import type { SubmittedChange } from '../../../src/generated'
import { editedFields, keysOf } from '../../../src/page/app/screens/authoring/model/merge'
import { activatable, changesOf } from '../../../src/page/app/screens/flag/model/changes'
import {
  beginEdit,
  choose,
  type FlagEdit,
  follow,
  isEdited,
  undo,
  withoutPlaces,
} from '../../../src/page/app/screens/flag/model/edit'
import { isObject, type JsonObject, listOf, objectOf } from '../../../src/page/app/words/json'
import { random } from '../../support/random'
import {
  applied,
  editedBy,
  feature,
  flagState,
  isSame,
  offered,
  readOf,
  shownOf,
  userEdits,
} from './support/random-flags'

const written = (edit: FlagEdit) => changesOf(edit, offered, feature)

/** What the screen shows, with what the changes do without naming it. */
function meant(edit: FlagEdit): JsonObject {
  const { own } = edit
  const activated = edit.activates === true ? activatable(edit).map(({ id }) => id) : []
  const strategies = listOf(own.strategies)
    .map(objectOf)
    .map((one) => (activated.includes(one.id) ? { ...one, disabled: false } : one))
  // An archived flag has no parents.
  const isOrphan = own.archived === true && own.dependencies !== undefined
  return { ...own, strategies, ...(isOrphan && { dependencies: [] }) }
}

/** The changes without one of them, or one of the properties of an update. */
function lessOf(changes: readonly SubmittedChange[]): readonly (readonly SubmittedChange[])[] {
  const without = (index: number) => changes.filter((_, at) => at !== index)
  return changes.flatMap((one, index) => {
    const { action, payload } = one as { action: string; payload?: unknown }
    if (action !== 'updateStrategy' || !isObject(payload)) return [without(index)]
    const names = Object.keys(payload).filter((name) => name !== 'id')
    return names.map((name) => {
      const { [name]: _, ...others } = payload
      return changes.map((other, at) => (at === index ? ({ ...one, payload: others } as SubmittedChange) : other))
    })
  })
}

describe('the changes that an edit writes', () => {
  it('lead to the edited flag, and none of them could be left out', () => {
    fc.assert(
      fc.property(flagState, userEdits, (state, edits) => {
        const edit = editedBy(beginEdit(readOf(state)), edits)
        const changes = written(edit)
        const after = applied(state, changes)
        expect(isSame(after, meant(edit)) || [shownOf(after), shownOf(meant(edit)), changes]).toBe(true)
        // What is archived loses its parents with or without a change of them.
        if (edit.own.archived === true) return
        for (const fewer of lessOf(changes)) {
          expect(isSame(applied(state, fewer), meant(edit)) && { changes, fewer }).toBe(false)
        }
      }),
      random(300),
    )
  })
})

describe('the undo of an edit', () => {
  it('leaves nothing to send once each field is as it was', () => {
    fc.assert(
      fc.property(flagState, userEdits, (state, edits) => {
        let edit = editedBy(beginEdit(readOf(state)), edits)
        const fields = editedFields(withoutPlaces(edit.base), edit.own, edit.own)
        for (const { path } of fields) edit = undo(edit, path)
        expect(isEdited(edit) && edit).toBe(false)
        expect(written(edit)).toEqual([])
      }),
      random(300),
    )
  })
})

interface Choice {
  readonly path: string
  readonly side: 'own' | 'now'
}

/** The paths at which a side edited the flag and the result has something else. */
function lostPaths(base: JsonObject, side: JsonObject, result: JsonObject): readonly string[] {
  return compareFields(base as never, side as never, result as never)
    .filter(({ isEdited, isAltered }) => isEdited && isAltered)
    .map(({ path }) => path)
}

/** The path of a whole list stands for its order. */
function isChosen(choices: readonly Choice[], side: Choice['side'], path: string): boolean {
  return choices.some((one) => {
    const isInside = one.path.indexOf('/', 1) > 0 && path.startsWith(`${one.path}/`)
    return one.side === side && (one.path === path || isInside)
  })
}

/** The store assigns the ids of what was added. */
function stored(state: JsonObject): JsonObject {
  const strategies = listOf(state.strategies)
    .map(objectOf)
    .map((one) => ({ ...one, id: String(one.id).replace('added by change', 'theirs') }))
  return { ...state, strategies }
}

/** The edit with each conflict ended, and its state; what was kept although it was deleted has another id, but not in the state. */
function settled(followed: FlagEdit, choices: readonly Choice[]) {
  let edit = followed
  const firstIds = new Map<unknown, unknown>()
  for (const { path, side } of choices) {
    const known = keysOf(edit.own.strategies)
    edit = choose(edit, path, side)
    for (const id of keysOf(edit.own.strategies)) if (!known.includes(id)) firstIds.set(id, namesIn(path).at(-1))
  }
  const strategies = listOf(edit.own.strategies)
    .map(objectOf)
    .map((one) => ({ ...one, id: firstIds.get(one.id) ?? one.id }))
  return { edit, shown: { ...edit.own, strategies } }
}

describe('an edit of another user meanwhile', () => {
  it('loses nothing of either side that was not chosen', () => {
    fc.assert(
      fc.property(
        flagState,
        userEdits,
        userEdits,
        fc.func(fc.constantFrom('own', 'now')),
        (state, edits, theirs, pick) => {
          const mine = editedBy(beginEdit(readOf(state)), edits)
          const now = stored(applied(state, written(editedBy(beginEdit(readOf(state)), theirs))))
          // Nothing of an archived flag can be changed.
          if (now.archived === true) return
          const { conflicts, edit: followed } = follow(mine, readOf(now))
          const sides = conflicts.map(({ path }) => ({ path, side: pick(path) as 'own' | 'now' }))
          const { edit, shown } = settled(followed, sides)
          expect(follow(edit, readOf(now)).conflicts).toEqual([])
          // It then writes what it shows.
          expect(isSame(applied(now, written(edit)), meant(edit))).toBe(true)
          const [base, current] = [state, now].map((one) => beginEdit(readOf(one)).own) as [JsonObject, JsonObject]
          const theirsLost = lostPaths(base, current, shown)
          expect(theirsLost.filter((path) => !isChosen(sides, 'own', path))).toEqual([])
          const ownLost = lostPaths(base, mine.own, shown)
          expect(ownLost.filter((path) => !isChosen(sides, 'now', path))).toEqual([])
        },
      ),
      random(300),
    )
  })
})
