import { options } from 'preact'
import { createStore, useStore } from '../core/tools/store'

const printing = createStore(false)

/** Whether the screen is on paper, where everything is unfolded. */
export const usePrinting = (): boolean => useStore(printing)

/** The browser prints what is in the document when the handler returns, so this renders immediately. */
function print(isPrinting: boolean): void {
  const { debounceRendering } = options
  options.debounceRendering = (render) => render()
  printing.set(isPrinting)
  if (debounceRendering) options.debounceRendering = debounceRendering
  else delete options.debounceRendering
}

window.addEventListener('beforeprint', () => print(true))
window.addEventListener('afterprint', () => print(false))
window.matchMedia('print').addEventListener('change', ({ matches }) => print(matches))
