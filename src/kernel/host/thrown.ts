import { types } from 'node:util'

/** A short text for anything that a function of the host app threw, which can be any value. Never throws. */
export function textOfThrown(thrown: unknown, maxLength: number): string {
  try {
    const message = typeof thrown === 'string' ? thrown : (thrown as { readonly message?: unknown } | null)?.message
    const isText = typeof message === 'string' && message.trim() !== ''
    return cut(isText ? message : `A value without a message was thrown: ${kindOf(thrown)}.`, maxLength)
  } catch {
    return 'A value that cannot be read was thrown.'
  }
}

/** Without the content of an object, which may be secret. */
function kindOf(thrown: unknown): string {
  if (typeof thrown === 'function') return 'a function'
  return typeof thrown === 'object' && thrown !== null ? 'an object' : String(thrown)
}

/** Without control characters, and without half a character at the end. */
function cut(text: string, maxLength: number): string {
  return text
    .slice(0, maxLength)
    .replace(/\p{Cc}+/gu, ' ')
    .replace(/\p{Cs}/gu, '\uFFFD')
}

const maxProxyText = 1_000

/** The thrown value; an error with its text instead of a proxy, because every use of a proxy can throw, `instanceof`, too. */
export function readableThrown(thrown: unknown): unknown {
  return types.isProxy(thrown) ? new Error(textOfThrown(thrown, maxProxyText)) : thrown
}
