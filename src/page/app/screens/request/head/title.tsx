import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { client } from '../../../core/api/session'
import { Button } from '../../../parts/controls/button'
import { isClosed } from '../../../parts/marks/state-traits'
import { OutcomeNotice } from '../../../parts/messages/outcome-notice'
import { useRequestContext } from '../model/context'
import { useStep } from '../model/use-step'

/** In characters. */
export const maxTitleLength = 200

/** The title; its author can give it another one. */
export function EditTitle({ title, children }: { readonly title: string; readonly children: ComponentChildren }) {
  const { place, me, latest } = useRequestContext()
  const [text, setText] = useState<string>()
  const input = useRef<HTMLInputElement>(null)
  const isOpen = text !== undefined
  useLayoutEffect(() => {
    if (isOpen) input.current?.select()
  }, [isOpen])
  const step = useStep<[string]>({
    run: (_context, write, next) => client.setTitle(place, next, write),
    said: 'The title was changed.',
    isDone: (latest, _before, next) => latest.request.title === next,
    onDone: () => setText(undefined),
  })
  const isMine = me.id === latest.request.createdBy.id && !isClosed(latest.review.state)
  if (text === undefined) {
    return (
      <div class="req-title">
        {children}
        {isMine && (
          <Button kind="quiet" size="tiny" icon="pencil" onClick={() => setText(title)}>
            Rename
          </Button>
        )}
      </div>
    )
  }
  return (
    <form
      class="rename"
      onSubmit={(event) => {
        event.preventDefault()
        if (text.trim() !== '') step.press(text.trim())
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
          onKeyDown={({ key }) => key === 'Escape' && setText(undefined)}
        />
      </label>
      <Button submit busy={step.busy && 'Saving…'}>
        Save
      </Button>
      <Button kind="quiet" onClick={() => setText(undefined)}>
        Leave it
      </Button>
      <OutcomeNotice action={step} what="rename it" />
    </form>
  )
}
