import type { TargetItem } from '../../words/content/items'
import type { IconName } from '../marks/icon'
import { Mark } from '../marks/mark'

/** What a reviewer must not miss about a flag. */
export function EffectMarks({ target }: { readonly target: Pick<TargetItem, 'changes' | 'implied'> }) {
  const { changes, implied } = target
  const isConflict = changes.some(({ conflict }) => conflict !== null)
  return (
    <WarningMarks
      conflict={isConflict}
      overwrites={changes.some(({ fields }) => fields.some(({ overwrites }) => overwrites))}
      implied={implied && !isConflict && (implied.action === 'addStrategy' ? 'Adds a strategy' : 'Switches it off')}
      everybody={!isConflict && changes.some(({ endsAtEverybody }) => endsAtEverybody)}
    />
  )
}

/** What a reviewer must not miss about one or several changes. */
export function WarningMarks({
  conflict,
  overwrites,
  implied,
  everybody,
}: {
  readonly conflict: boolean
  readonly overwrites: boolean
  readonly implied?: string | false | undefined
  readonly everybody: boolean
}) {
  const marks: readonly [shown: unknown, tone: 'stop' | 'care', icon: IconName, text: string][] = [
    [conflict, 'stop', 'stop', 'Conflict'],
    [overwrites, 'care', 'warn', 'Overwrites'],
    [implied, 'care', 'warn', implied || ''],
    [everybody, 'care', 'users', 'Everybody'],
  ]
  return marks.map(
    ([shown, tone, icon, text]) =>
      shown && (
        <Mark key={text} tone={tone} icon={icon}>
          {text}
        </Mark>
      ),
  )
}
