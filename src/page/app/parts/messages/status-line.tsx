import { createStore, useStore } from '../../core/tools/store'

const said = createStore({ sentence: '', turn: 0 })

/** Says a short sentence to assistive technology, once. */
export function say(sentence: string): void {
  said.set({ sentence, turn: said.get().turn + 1 })
}

/** Screen readers read from here what `say` is called with. The page has one. */
export function StatusLine() {
  const { sentence, turn } = useStore(said)
  return (
    <p class="vh" role="status" aria-live="polite">
      {/* The same sentence again is only read if it is another element. */}
      <span key={turn}>{sentence}</span>
    </p>
  )
}
