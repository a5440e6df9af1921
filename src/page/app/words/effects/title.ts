import { maxTitleLength } from '../../../../domain/content/title'
import type { TargetItem } from '../content/items'
import { textOf } from '../spans'
import { effectWords } from './effects'

/** A title that says what the changes do, `checkout: 65 % → 75 % of everybody`; empty without changes. */
export function titleOf(targets: readonly TargetItem[]): string {
  const title = targets
    .map(({ name, changes, implied }) => `${name}: ${textOf(effectWords(changes, implied))}`)
    .join('; ')
  return title.length > maxTitleLength
    ? `${title.slice(0, maxTitleLength - 1).replace(/[\uD800-\uDBFF]$/, '')}…`
    : title
}
