import { constraintValues, operatorWords } from '../fields/constraints'
import { listSides } from '../fields/lists'
import { isBlank, isObject, type Json, type JsonObject, listOf, objectOf, shown, textIn } from '../json'
import { joined, type Mark, type Words } from '../spans'

/**
 * Whom a strategy is for, as `everybody` or `users in NO, SE + DK`. Values that come and go against the strategy before
 * are marked.
 */
export function audienceWords(strategy: Json, before: Json = null): Words {
  const constraints = listOf(objectOf(strategy).constraints).filter(isObject)
  const segments = listOf(objectOf(strategy).segments).map((id) => [`segment ${shown(id)}`])
  const old = listOf(objectOf(before).constraints).filter(isObject)
  const parts = [...constraints.map((one) => conditionWords(one, earlier(one, old), isBlank(before))), ...segments]
  return parts.length === 0 ? ['everybody'] : ['users ', ...joined(parts, ' and ')]
}

function earlier(constraint: JsonObject, old: readonly JsonObject[]): JsonObject | undefined {
  return old.find(
    (one) => one.contextName === constraint.contextName && operatorWords(one) === operatorWords(constraint),
  )
}

const places: ReadonlySet<string> = new Set(['country', 'region', 'city', 'market', 'locale', 'continent'])

/** A line has room for this many values. */
const most = 8

function conditionWords(constraint: JsonObject, old: JsonObject | undefined, isNew: boolean): Words {
  const name = textIn(constraint, 'contextName')
  const operator = operatorWords(constraint)
  const current = old ? constraintValues(old) : isNew ? null : []
  const values = commaed(listSides(current, constraintValues(constraint), most).after.words)
  if (places.has(name) && operator === 'is one of') return ['in ', ...values]
  return [
    'with ',
    name,
    ' ',
    operator.startsWith('is one') || operator.startsWith('is none') ? operator.slice(3) : operator,
    ' ',
    ...values,
  ]
}

/** Values in a sentence: commas between those that stay, and no boxes. */
function commaed(words: Words): Words {
  const marks = words.filter((one): one is Mark => typeof one !== 'string')
  const rest = words.filter((one) => typeof one === 'string' && one.trim() !== '')
  const shownMarks = marks.flatMap((mark, index): Words => {
    const text = mark.as === 'value' ? mark.text : mark
    if (index === 0) return [text]
    return [mark.as === 'value' ? ', ' : ' ', text]
  })
  return [...shownMarks, ...rest]
}
