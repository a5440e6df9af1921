import { Button } from '../../parts/controls/button'
import { Dialog } from '../../parts/controls/dialog'
import { PlaceMark, ProductionBand } from '../../parts/marks/environment-mark'

interface SwitchOffProps {
  readonly project: string
  readonly environment: string
  readonly type: string
  readonly onSwitchOff: () => void
  readonly onClose: () => void
}

/** Asks before the review of production is switched off: from then on nobody has to look. */
export function SwitchOff({ project, environment, type, onSwitchOff, onClose }: SwitchOffProps) {
  return (
    <Dialog
      title="Switch off change requests?"
      band={<ProductionBand name={environment} type={type} />}
      above={<PlaceMark project={project} name={environment} type={type} />}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Keep them on</Button>
          <Button
            kind="danger-quiet"
            onClick={() => {
              onClose()
              onSwitchOff()
            }}
          >
            Switch off in {environment}
          </Button>
        </>
      }
    >
      <p>Anyone who can edit flags then changes them immediately, without a review. Open change requests continue.</p>
    </Dialog>
  )
}
