/** Content of an element: text that was escaped, and elements. */
export class Html {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

type Content = Html | string | number | null | undefined | false | readonly Content[]

/** Escapes everything that is inserted, except what is {@link Html} already. */
export function html(parts: TemplateStringsArray, ...values: readonly Content[]): Html {
  return new Html(parts.reduce((text, part, index) => text + toText(values[index - 1]) + part))
}

function toText(content: Content): string {
  if (content === null || content === undefined || content === false) return ''
  if (content instanceof Html) return content.text
  if (typeof content === 'object') return content.map(toText).join('')
  return String(content)
    .replace(/[&<>"']/g, (mark) => `&#${mark.charCodeAt(0)};`)
    .replace(hidden, '\ufffd')
}

/** Control characters, and those that reverse the text around them. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are replaced.
const hidden = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g
