import { createStore, useStore } from '../../core/tools/store'

const said = createStore('')

/** Says a short sentence to assistive technology, once. */
export function say(sentence: string): void {
  // The same sentence again is only read when the text changes.
  said.set(said.get() === sentence ? `${sentence}\u00a0` : sentence)
}

/** Stands once in the page; what `say` says is read from here. */
export function StatusLine() {
  return (
    <p class="vh" role="status" aria-live="polite">
      {useStore(said)}
    </p>
  )
}
