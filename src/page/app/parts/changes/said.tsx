import type { Mark, Words } from '../../words/spans'
import { withMarks } from '../marks/unseen'
import './said.css'

/** Words with their marks. Each piece is text, kept apart from its neighbours whatever its direction. */
export function Said({ words }: { readonly words: Words }) {
  return (
    <>
      {words.map((one, index) =>
        typeof one === 'string' ? (
          <bdi key={index}>{withMarks(one, index === 0 ? '' : 'x', index === words.length - 1 ? '' : 'x')}</bdi>
        ) : (
          <Marked key={index} mark={one} />
        ),
      )}
    </>
  )
}

function Marked({ mark: { text, as } }: { readonly mark: Mark }) {
  switch (as) {
    case 'value':
      return <bdi class="val">{text}</bdi>
    case 'added':
      return (
        <ins class="val add">
          <span class="vh">added: </span>+ <bdi>{text}</bdi>
        </ins>
      )
    case 'removed':
      return (
        <del class="val gone">
          <span class="vh">removed: </span>
          <bdi>{text}</bdi>
        </del>
      )
    case 'muted':
      return <span class="muted thin">{text}</span>
    case 'text':
      return <bdi>{text}</bdi>
    default:
      return (
        <b class={as === 'flag' ? 'flag' : undefined}>
          <bdi>{text}</bdi>
        </b>
      )
  }
}
