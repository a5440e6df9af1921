import { type ComponentChildren, Fragment, options } from 'preact'
import { signOf, visible, withSigns } from '../../words/visible'

/** A text with a mark in place of each character that can't be seen; `before` and `after` as in {@link withSigns}. */
export function withMarks(text: string, before?: string, after?: string): readonly ComponentChildren[] {
  return withSigns(text, toMark, before, after)
}

/** A line break still breaks the line where the style has it so, such as in comments; there its mark is not shown. */
function toMark(char: string): ComponentChildren {
  const isBreak = char.includes('\n')
  return (
    <>
      <span class={isBreak ? 'unseen break' : 'unseen'} role="img" aria-label={labelOf(char)}>
        {signOf(char)}
      </span>
      {isBreak && char}
    </>
  )
}

const labelOf = (char: string) => (char === ' ' ? 'space' : char.includes('\n') ? 'line break' : signOf(char))

/** Keeps the parts of a number, and its unit, on one line. */
function bound(text: string): string {
  return text.replace(/(\p{Nd}) (?=%|\d{3}\b|(?:min|h|d|s|[AP]M|[kMG]?B|bytes)\b)/gu, '$1\u00a0')
}

interface Node {
  type: unknown
  props: string | Record<string, unknown>
}

/**
 * Marks in all that is rendered, so that no screen can forget it: in texts, in whole values, which are in a `bdi`, and in
 * labels and tooltips.
 */
options.vnode = (vnode) => {
  const node = vnode as Node
  const { type, props } = node
  if (typeof props === 'string') {
    // Between two elements, or after the mark of a line break.
    if (/^\r?\n? *$/.test(props)) return
    const children = withMarks(props, 'x', 'x')
    if (children.length > 1) Object.assign(node, { type: Fragment, props: { children } })
    else node.props = bound(props)
  } else if (typeof type === 'string') {
    if (type === 'bdi' && typeof props.children === 'string') props.children = withMarks(props.children)
    for (const name of ['title', 'aria-label']) {
      const text = props[name]
      if (typeof text === 'string') props[name] = visible(text)
    }
  }
}
