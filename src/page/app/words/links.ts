/** A piece of a text; an address is shown as a link to itself. */
export interface TextPiece {
  readonly text: string
  readonly isLink: boolean
}

/**
 * An address with http or https. Neither punctuation at its end nor a bracket without its counterpart is part of it, and no
 * invisible character, such as one that changes the direction of text. No part can be read in two ways, so the time is linear.
 */
const address =
  /(\bhttps?:\/\/(?:[.,:;!?']*(?:[^\s\p{C}<>"`()[\]{}.,:;!?']|\([^\s\p{C}<>"`()[\]{}]*\)|\[[^\s\p{C}<>"`()[\]{}]*\]))+)/iu

/** Splits a text of a user into plain text and links. */
export function splitLinks(text: string): readonly TextPiece[] {
  return text
    .split(address)
    .map((piece, index) => ({ text: piece, isLink: index % 2 === 1 && leadsWhereItSays(piece) }))
    .filter((piece) => piece.text !== '')
}

/** False for what a browser reads as another address: a name before the host (`https://bank@evil`), or a host in other letters. */
function leadsWhereItSays(piece: string): boolean {
  try {
    return piece.toLowerCase().startsWith(new URL(piece).origin)
  } catch {
    return false
  }
}
