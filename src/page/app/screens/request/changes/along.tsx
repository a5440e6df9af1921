import { reachesEverybody } from '../../../../../domain/content/reach'
import { Said } from '../../../parts/changes/said'
import { Icon } from '../../../parts/marks/icon'
import { Mark } from '../../../parts/marks/mark'
import { type ComesAlong, strategyWords } from '../../../words/effects/effects'
import { useRequestContext } from '../model/context'

/** A change that nobody submitted: it is made so that no flag is on without a strategy. */
export function Along({ along }: { readonly along: ComesAlong }) {
  const { content } = useRequestContext()
  const { environment } = content.request
  const isAdded = along.action === 'addStrategy'
  return (
    <div class="change along">
      <div class="change-head">
        <Icon name={isAdded ? 'plus' : 'flag'} />
        <p>
          <span class="what">Comes along: {isAdded ? 'default strategy' : 'the flag is switched off'}</span>
          {isAdded && reachesEverybody(along.payload) === true && (
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
            <Said words={strategyWords(along.payload, content.review.segmentNames)} />.
          </>
        ) : (
          'No active strategy is left, and a flag that is on without one would be for everybody.'
        )}
      </p>
    </div>
  )
}
