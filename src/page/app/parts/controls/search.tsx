import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { useKeys } from '../../core/tools/keys'
import { Icon } from '../marks/icon'

interface SearchProps {
  readonly label: string
  readonly placeholder: string
  /** What is searched for now. */
  readonly value: string
  /** Called a moment after the last key, and immediately on Enter. */
  readonly onSearch: (text: string) => void
}

const pauseMs = 250

/** A search that follows the typing; `/` goes to it. */
export function Search({ label, placeholder, value, onSearch }: SearchProps) {
  const [text, setText] = useState(value)
  const input = useRef<HTMLInputElement>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const searched = useRef(value)
  useLayoutEffect(() => {
    // The address has the text that was searched for; the user may have typed more.
    if (value === searched.current.trim()) return
    searched.current = value
    clearTimeout(timer.current)
    setText(value)
  }, [value])
  useLayoutEffect(() => () => clearTimeout(timer.current), [])
  useKeys({ '/': { label: 'search', run: () => input.current?.select() } })
  const search = (next: string) => {
    clearTimeout(timer.current)
    if (next === value) return
    searched.current = next
    onSearch(next)
  }
  return (
    <search>
      <form
        class="search"
        onSubmit={(event) => {
          event.preventDefault()
          search(text)
        }}
      >
        <Icon name="search" />
        <input
          ref={input}
          class="input"
          type="search"
          aria-label={label}
          placeholder={placeholder}
          value={text}
          onInput={({ currentTarget }) => {
            setText(currentTarget.value)
            clearTimeout(timer.current)
            timer.current = setTimeout(search, pauseMs, currentTarget.value)
          }}
        />
        <kbd>/</kbd>
      </form>
    </search>
  )
}
