import { splitLinks } from '../words/links'
import { withMarks } from './marks/unseen'

/** Text of a user, never HTML. The text of a link is its address, in any direction of the surrounding text. */
export function Linked({ text }: { readonly text: string }) {
  return splitLinks(text).map((piece, index, { length }) =>
    piece.isLink ? (
      <bdi dir="ltr">
        <a href={piece.text} rel="noopener noreferrer nofollow">
          {piece.text}
        </a>
      </bdi>
    ) : (
      withMarks(piece.text, index === 0 ? '' : 'x', index === length - 1 ? '' : 'x')
    ),
  )
}
