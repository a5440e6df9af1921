import { type IconName, icons } from './icons'

export type { IconName }

/** An icon next to words, never instead of them: it is hidden from assistive technology. */
export function Icon({ name, class: own }: { readonly name: IconName; readonly class?: string | undefined }) {
  const shape = icons[name]
  return (
    <svg class={own === undefined ? 'i' : `i ${own}`} viewBox="0 0 16 16" aria-hidden="true">
      {typeof shape === 'string' ? <path d={shape} /> : shape()}
    </svg>
  )
}
