import type { FlagView, SubmittedChange } from '../../../../generated'
import type { Loaded } from '../../core/api/query'
import { Button } from '../../parts/controls/button'
import { Dialog } from '../../parts/controls/dialog'
import { PlaceMark } from '../../parts/marks/environment-mark'
import { ActNow } from '../now/act-now'
import type { FlagPlace } from './use-preview'

interface SwitchOffProps {
  readonly place: FlagPlace
  readonly flag: Loaded<FlagView>
  readonly onClose: () => void
}

/** Switches a flag off in an environment, in an emergency or after a review. */
export function SwitchOff({ place, flag: { data, refresh }, onClose }: SwitchOffProps) {
  const { project, environment, feature } = place
  const title = (
    <>
      Switch off <bdi>{feature}</bdi>
    </>
  )
  if (data?.state?.enabled !== true) {
    return (
      <Dialog
        title={title}
        above={<PlaceMark project={project} name={environment} />}
        onClose={onClose}
        actions={<Button onClick={onClose}>Close</Button>}
      >
        <p>It is off already.</p>
      </Dialog>
    )
  }
  const expected = data.targets.enabled
  const off = { action: 'updateEnabled', feature, payload: { enabled: false } } as const
  const changes: readonly SubmittedChange[] = [{ ...off, ...(expected !== undefined && { expected }) }]
  return (
    <ActNow
      {...{ title, place, changes, refresh, onClose }}
      draftName={`switch off ${project} ${environment} ${feature}`}
      names={data.segmentNames}
      step={{ kind: 'propose', changes }}
    />
  )
}
