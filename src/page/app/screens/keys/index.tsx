import { useState } from 'preact/hooks'
import { listKeys, singleKeys, useSingleKeys } from '../../core/tools/keys'
import { Button } from '../../parts/controls/button'
import { Dialog } from '../../parts/controls/dialog'

/** The list of all keys that do something on this screen, and a switch that turns single keys off. */
export function KeysDialog({ onClose }: { readonly onClose: () => void }) {
  const [keys] = useState(listKeys)
  const on = useSingleKeys()
  return (
    <Dialog title="Keys" wide onClose={onClose} actions={<Button onClick={onClose}>Close</Button>}>
      <dl class="keys">
        {[...keys, { keys: 'Enter', label: 'open' }, { keys: 'Esc', label: 'close, back' }].map(
          ({ keys: pressed, label }) => (
            <div key={pressed}>
              <dt>
                {pressed.split(' ').map((key) => (
                  <>
                    <kbd>{key}</kbd>{' '}
                  </>
                ))}
              </dt>
              <dd>{label}</dd>
            </div>
          ),
        )}
      </dl>
      <p class="keys-off">
        <label class="check">
          <input
            type="checkbox"
            checked={on}
            onChange={({ currentTarget }) => singleKeys.set(currentTarget.checked ? 'on' : 'off')}
          />
          <span>Single-key shortcuts. When off, only Tab, Enter, the arrow keys and Esc work.</span>
        </label>
      </p>
    </Dialog>
  )
}
