import type { MeView } from '../../../../generated'
import { closeSignIn } from '../../core/api/sign-in'
import { useLocation } from '../../core/places/navigation'
import { hasDrafts } from '../../core/tools/drafts'
import { Button } from '../../parts/controls/button'
import { Icon } from '../../parts/marks/icon'

/** Where a person goes on after signing in, and that nothing they wrote is lost. */
export function Return({ me }: { readonly me: MeView | undefined }) {
  const { place } = useLocation()
  const where = place.screen === 'request' ? `#${place.id} of ${place.project}` : undefined
  if (me === undefined && where === undefined) return null
  return (
    <div class="return">
      <Icon name="undo" />
      <div>
        You continue where you were
        {where && (
          <>
            :{' '}
            <b>
              <bdi>{where}</bdi>
            </b>
          </>
        )}
        .{hasDrafts() && ' Your text is kept.'}
        {me !== undefined && (
          <p>
            <Button kind="quiet" size="tiny" onClick={closeSignIn}>
              Look at the page first
            </Button>
          </p>
        )}
      </div>
    </div>
  )
}
