import { reachOf } from '../../core/tools/production'
import { Said } from '../../parts/changes/said'
import { Mark } from '../../parts/marks/mark'
import type { TargetItem } from '../../words/content/items'
import { effectWords } from '../../words/effects/effects'
import { counted } from '../../words/numbers'
import { focusOn, targetId } from './focus'
import type { RequestProps } from './use-request'

const headings: Readonly<Record<string, string>> = {
  Applied: 'What changed in',
  Rejected: 'What would have changed in',
  Cancelled: 'What would have changed in',
}

/** What will be different, one line for each flag. */
export function Effects({ request, review, targets }: Omit<RequestProps, 'actions'>) {
  return (
    <section aria-labelledby="effects">
      <div class="sec-head">
        <h2 id="effects">
          {headings[review.state] ?? 'What will change in'} <bdi>{reachOf(request)}</bdi>
        </h2>
        <span class="muted small">{summaryOf(targets)}</span>
      </div>
      {targets.length === 0 ? (
        <p class="panel nothing edge">No changes yet.</p>
      ) : (
        <ul class="panel effects edge">
          {targets.map((target) => (
            <Effect key={target.key} target={target} />
          ))}
        </ul>
      )}
    </section>
  )
}

/** `4 flags, 5 changes, 1 implied change`. */
export function summaryOf(targets: readonly TargetItem[]): string {
  const flags = targets.filter(({ kind }) => kind === 'flag').length
  const segments = targets.length - flags
  const implied = targets.filter(({ along }) => along !== undefined).length
  return [
    ...(flags > 0 ? [counted(flags, 'flag')] : []),
    ...(segments > 0 ? [counted(segments, 'segment')] : []),
    counted(targets.flatMap(({ changes }) => changes).length, 'change'),
    ...(implied > 0 ? [counted(implied, 'implied change')] : []),
  ].join(', ')
}

function Effect({ target }: { readonly target: TargetItem }) {
  const { name, kind, changes, along } = target
  const id = targetId(target)
  return (
    <li>
      <a
        class="flag"
        href={`#${id}`}
        onClick={(event) => {
          event.preventDefault()
          focusOn(id)
        }}
      >
        {kind === 'segment' && 'segment '}
        <bdi>{name}</bdi>
      </a>
      <span class="effect">
        <Said words={effectWords(changes, along)} />
      </span>
      <span class="effect-marks">
        <EffectMarks target={target} />
      </span>
    </li>
  )
}

/** What a reviewer must not miss. */
export function EffectMarks({
  target: { changes, along },
}: {
  readonly target: Pick<TargetItem, 'changes' | 'along'>
}) {
  const isConflict = changes.some(({ conflict }) => conflict !== null)
  return (
    <>
      {isConflict && (
        <Mark tone="stop" icon="stop">
          Conflict
        </Mark>
      )}
      {changes.some(({ fields }) => fields.some(({ overwrites }) => overwrites)) && (
        <Mark tone="care" icon="warn">
          Overwrites
        </Mark>
      )}
      {along && !isConflict && (
        <Mark tone="care" icon="warn">
          {along.action === 'addStrategy' ? 'Adds a strategy' : 'Switches it off'}
        </Mark>
      )}
      {changes.some(({ endsAtEverybody }) => endsAtEverybody) && !isConflict && (
        <Mark tone="care" icon="users">
          Everybody
        </Mark>
      )}
    </>
  )
}
