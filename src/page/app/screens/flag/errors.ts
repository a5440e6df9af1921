import { escaped, namesIn } from '../../../../domain/content/json-pointer'
import { keyOf } from '../../../../domain/diff/fields'
import type { SubmittedChange } from '../../../../generated'
import type { Missing } from '../../core/api/answers'
import { type Json, type JsonObject, listOf, objectOf, textIn } from '../../words/json'
import { messagesByPath } from '../authoring/model/answers'
import { keysOf } from '../authoring/model/merge'
import type { FlagEdit } from './model/edit'

/**
 * The messages of the server about changes, by the JSON pointer into the edited state. Those of a change without a control of
 * its own are below `/others`.
 */
export function errorsByField(
  problems: readonly Missing[],
  sent: readonly SubmittedChange[],
  { base, own }: Pick<FlagEdit, 'base' | 'own'>,
): ReadonlyMap<string, string> {
  const places = placesOf(sent, base, own)
  return new Map(
    [...messagesByPath(problems)].map(([path, message]) => {
      // Of a single change, the path has no index.
      const [found, index = sent.length === 1 ? 0 : undefined, rest = ''] = pattern.exec(path) ?? []
      const place = found === undefined ? undefined : places[Number(index)]
      return [place === undefined ? path : named(place + rest, own), message]
    }),
  )
}

const pattern = /^(?:\/body)?(?:\/changes)?(?:\/(\d+))?(?:\/payload)?((?:\/.*)?)$/s

/** Where in the edited state each change comes from. */
function placesOf(sent: readonly SubmittedChange[], base: JsonObject, own: JsonObject): readonly string[] {
  let others = 0
  const known = keysOf(base.strategies)
  const added = keysOf(own.strategies).filter((id) => !known.includes(id))
  return sent.map((change): string => {
    const { action } = change
    const payload: Json = objectOf(change).payload
    switch (action) {
      case 'addStrategy':
        return `/strategies/${escaped(added.shift() ?? '')}`
      case 'updateStrategy':
      case 'deleteStrategy':
        return `/strategies/${escaped(textIn(payload, 'id'))}`
      case 'reorderStrategy':
        return '/strategies'
      case 'addDependency':
      case 'deleteDependency':
        return `/dependencies/${escaped(textIn(payload, 'feature'))}`
      case 'archiveFeature':
        return '/archived'
      case 'updateEnabled':
      case 'patchVariant':
      case 'updateSegment':
        return ''
      default:
        return `/others/${others++}`
    }
  })
}

/** The pointer with the elements of lists by their ids or names, as the edit names them. */
function named(path: string, own: Json): string {
  let value = own
  const names = namesIn(path).map((name) => {
    const list = listOf(value)
    const element = list.find((one) => keyOf(one as never) === name) ?? list[Number(name)]
    value = element ?? objectOf(value)[name]
    return element === undefined ? name : (keyOf(element as never) ?? name)
  })
  return names.map((name) => `/${escaped(name)}`).join('')
}
