/** The most used keys of a screen, at its end, such as `'j k': 'move'`. */
export function KeysLine({ keys }: { readonly keys: Readonly<Record<string, string>> }) {
  return (
    <p class="foot-keys flow muted small" aria-hidden="true">
      {Object.entries(keys).map(([pressed, label]) => (
        <span key={label}>
          {pressed.split(' ').map((key) => [<kbd key={key}>{key}</kbd>, ' '])}
          {label}
        </span>
      ))}
    </p>
  )
}
