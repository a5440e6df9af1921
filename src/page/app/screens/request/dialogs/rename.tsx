import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { maxTitleLength } from '../../../../../domain/content/title'
import { client } from '../../../core/api/session'
import { Button } from '../../../parts/controls/button'
import { OutcomeNotice } from '../../../parts/messages/outcome-notice'
import type { RequestProps } from '../use-request'
import { useStep } from '../use-step'

export interface RenameFormProps extends Pick<RequestProps, 'request' | 'actions'> {
  readonly onClose: () => void
  readonly children: ComponentChildren
}

/** A form for the title of the change request. */
export function RenameForm({ request, actions, onClose, children }: RenameFormProps) {
  const [text, setText] = useState(request.title)
  const input = useRef<HTMLInputElement>(null)
  useLayoutEffect(() => input.current?.select(), [])
  const rename = useStep<[string]>(actions, {
    run: (write, next) => client.setTitle(request, next, write),
    doneMessage: 'The title was changed.',
    isDone: (latest, _before, next) => latest.request.title === next,
    onDone: onClose,
  })
  return (
    <form
      class="rename flow"
      onSubmit={(event) => {
        event.preventDefault()
        if (text.trim() !== '') rename.press(text.trim())
      }}
    >
      <div class="req-title vh">{children}</div>
      <label>
        <span class="vh">Title</span>
        <input
          class="input"
          value={text}
          maxLength={maxTitleLength}
          ref={input}
          onInput={({ currentTarget }) => setText(currentTarget.value)}
          onKeyDown={({ key }) => key === 'Escape' && onClose()}
        />
      </label>
      <Button submit busy={rename.busy && 'Saving…'}>
        Save
      </Button>
      <Button kind="quiet" onClick={onClose}>
        Leave it
      </Button>
      <OutcomeNotice action={rename} verb="rename it" />
    </form>
  )
}
