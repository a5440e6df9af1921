import { createStore, useStore } from '../../core/tools/store'

const said = createStore({ sentence: '', turn: 0 })

/** Says a short sentence to assistive technology, once. */
export function say(sentence: string): void {
  said.set({ sentence, turn: said.get().turn + 1 })
}

/** Stands once in the page; what `say` says is read from here. */
export function StatusLine() {
  const { sentence, turn } = useStore(said)
  return (
    <p class="vh" role="status" aria-live="polite">
      {/* The same sentence again is only read if it is another element. */}
      <span key={turn}>{sentence}</span>
    </p>
  )
}
