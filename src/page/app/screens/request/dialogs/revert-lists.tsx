import type { RevertPreviewView } from '../../../../../generated'
import { Said } from '../../../parts/changes'
import { Mark } from '../../../parts/marks'
import { changeWords } from '../../../words/changes'
import { toTargets } from '../../../words/content/items'
import { rowsOf } from '../../../words/fields/rows'
import { useRequestContext } from '../model/context'

/** What goes into the draft. */
export function Inverses({ changes }: Pick<RevertPreviewView, 'changes'>) {
  return (
    <section aria-labelledby="inverses">
      <h3 id="inverses">Goes into the draft</h3>
      <ul class="back">
        {changes.map(({ action, feature = null, payload }, index) => {
          const stored = { id: index + 1, action, payload }
          const [target] = toTargets([], {
            features: feature === null ? [] : [{ name: feature, changes: [stored] }],
            segments: feature === null ? [stored] : [],
          })
          const { what, how } = changeWords({ action, payload })
          return (
            <li key={index}>
              <span class="flag">
                <bdi>{target?.name}</bdi>
              </span>
              <span>
                <bdi>{`${what} ${how}`.trim()}</bdi>
                {target && action.startsWith('update') && action !== 'updateEnabled' && (
                  <span class="muted small">
                    {target.changes.flatMap(rowsOf).map(({ key, label, after }) => (
                      <span key={key}>
                        {' · '}
                        {label.toLowerCase()} <Said words={after.words} />
                      </span>
                    ))}
                  </span>
                )}
              </span>
            </li>
          )
        })}
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
      <h3 id="irreversible">Cannot be taken back</h3>
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
