import type { RuleCauseView } from '../../../../generated'
import { causeWords } from '../../words/because'
import type { TargetItem } from '../../words/content/items'
import { textOf } from '../../words/spans'
import { RichText } from '../changes/rich-text'
import { list } from './from'

export interface BecauseProps {
  /** Those of a requirement. */
  readonly because: readonly RuleCauseView[]
  /** The flags and segments with the changes. */
  readonly targets: readonly TargetItem[]
  /** The address of a change, where it is on the screen. */
  readonly linkTo?: ((changeId: number) => string) | undefined
}

/** Why a rule needs approvals: what the changes do that it is about. */
export function Because({ because, targets, linkTo }: BecauseProps) {
  const causes = because.map(({ change, ...cause }) => {
    const words = causeWords({ change, ...cause }, targets)
    return { change, words, text: textOf(words) }
  })
  const distinct = new Map(causes.filter(({ text }) => text !== '').map((one) => [`${one.change} ${one.text}`, one]))
  if (distinct.size === 0) return null
  const items = [...distinct.values()].map(({ change, words }) =>
    linkTo && change !== null ? (
      <a href={linkTo(change)}>
        <RichText words={words} />
      </a>
    ) : (
      <RichText words={words} />
    ),
  )
  return <p class="soft small">Because {list(items, 'and')}.</p>
}
