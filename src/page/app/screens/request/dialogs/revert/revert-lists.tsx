import type { RevertPreviewView } from '../../../../../../generated'
import { Said } from '../../../../parts/changes/said'
import { Mark } from '../../../../parts/marks/mark'
import { changeWords } from '../../../../words/changes'
import { effectOf } from '../../../../words/effects/effects'
import { useRequestContext } from '../../model/context'
import { toInverses } from './inverses'

/** What goes into the draft: from what the change request made, to what was before. */
export function Inverses({ changes }: Pick<RevertPreviewView, 'changes'>) {
  const { content } = useRequestContext()
  const applied = content.targets.flatMap((target) => target.changes)
  return (
    <section aria-labelledby="inverses">
      <h3 id="inverses">Goes into the draft</h3>
      <ul class="back">
        {toInverses(changes, applied).map(({ name, changes: [change] }, index) => (
          <li key={index}>
            <span class="flag">
              <bdi>{name}</bdi>
            </span>
            <span>{change && <Said words={effectOf(change)} />}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** What the draft cannot take back. */
export function Irreversible({ irreversible }: Pick<RevertPreviewView, 'irreversible'>) {
  const { content } = useRequestContext()
  const all = content.targets.flatMap((target) => target.changes)
  return (
    <section aria-labelledby="irreversible">
      <h3 id="irreversible">Can't be reverted</h3>
      <ul class="back">
        {irreversible.map(({ id, action, feature }) => {
          const change = all.find((one) => one.id === id)
          const { what, how } = changeWords(change ?? { action, payload: null }, change?.before ?? change?.after)
          return (
            <li key={id}>
              <span class="flag">
                <bdi>{feature ?? 'segment'}</bdi>
              </span>
              <bdi>{`${what} ${how}`.trim()}</bdi>
              <Mark tone="care" icon="warn">
                irreversible
              </Mark>
            </li>
          )
        })}
      </ul>
    </section>
  )
}
