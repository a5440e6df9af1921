import { reachesEverybody } from '../../../../domain/content/reach'
import { type ImpliedChange as Implied, strategyWords } from '../../words/effects/effects'
import type { SegmentNames } from '../../words/fields/labels'
import { Icon } from '../marks/icon'
import { Mark } from '../marks/mark'
import { RichText } from './rich-text'

interface ImpliedChangeProps {
  readonly environment: string
  readonly segmentNames: SegmentNames
  readonly change: Implied
}

/** A change that no user submitted: it is made so that no flag is on without a strategy. */
export function ImpliedChange({ environment, segmentNames, change: { action, payload } }: ImpliedChangeProps) {
  const isAdded = action === 'addStrategy'
  return (
    <div class="change implied">
      <div class="change-head">
        <Icon name={isAdded ? 'plus' : 'flag'} />
        <p class="flow">
          <span class="strong">Implied change: {isAdded ? 'default strategy' : 'the flag is switched off'}</span>
          {isAdded && reachesEverybody(payload) === true && (
            <Mark tone="care" icon="warn">
              Everybody
            </Mark>
          )}
        </p>
      </div>
      <p class="small muted">
        {isAdded ? (
          <>
            The flag has no active strategy in <bdi>{environment}</bdi>. Switching it on adds the default one:{' '}
            <RichText words={strategyWords(payload, segmentNames)} />.
          </>
        ) : (
          'No active strategy is left, and a flag that is on without one would be for everybody.'
        )}
      </p>
    </div>
  )
}
