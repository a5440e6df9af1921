import { namesIn } from '../../../../domain/content/json-pointer'
import { labelOf } from './labels'
import { lowered } from './row'

const known: Readonly<Record<string, string>> = {
  '': 'anything',
  '/enabled': 'whether the flag is on',
  '/archived': 'whether the flag is archived',
  '/disabled': 'whether a strategy is on',
}

const lists: Readonly<Record<string, string>> = {
  order: 'order of strategies',
  dependencies: 'parents',
  strategies: 'strategies of it',
}

/** What a path leads to, as a part of a sentence: `the rollout`, `the share of any variant`. `*` is any one name. */
export function fieldOf(path: string): string {
  if (Object.hasOwn(known, path)) return known[path] as string
  const [name = '', ...deeper] = namesIn(path)
  if (name === 'variants' && deeper.length > 0) return variantField(deeper)
  if (name === 'parameters' && deeper[0] === '*') return 'any parameter'
  if (Object.hasOwn(lists, name)) return `the ${lists[name]}`
  const names = name === 'parameters' && deeper.length > 0 ? deeper : [name, ...deeper]
  return `the ${names.map((one) => lowered(labelOf(one))).join(' › ')}`
}

function variantField([variant, ...properties]: readonly string[]): string {
  const named = variant === '*' ? 'any variant' : `variant “${variant}”`
  return properties.length === 0
    ? named
    : `the ${properties.map((one) => lowered(labelOf(one))).join(' › ')} of ${named}`
}
