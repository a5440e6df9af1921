import { type ChatMessage, fitting, type Span } from './chat-message'

/** The maximum of Slack for the text of a block. */
const maxText = 3_000

/** The body of an incoming webhook of Slack: a text for notifications, and sections in its markup. */
export function slackBody(message: ChatMessage) {
  return fitting(message, write, ({ text, blocks }) => [text, ...blocks.map((one) => one.text.text)].every(fitsBlock))
}

function write({ sentence, title, details }: ChatMessage) {
  const parts = [lineOf(sentence), title && lineOf([title]), details.map(escaped).join('\n')]
  return {
    text: sentence.map(({ text }) => escaped(text)).join(''),
    blocks: parts.filter((part) => part).map((text) => section(text as string)),
  }
}

/** Without `verbatim`, Slack turns names of channels and users in the text into mentions. */
function section(text: string) {
  return { type: 'section', text: { type: 'mrkdwn', text, verbatim: true } }
}

function lineOf(spans: readonly Span[]): string {
  const written = spans.map(({ text, url, isBold }) => {
    const linked = url === undefined ? escaped(text) : `<${escaped(url.replaceAll('|', '%7C'))}|${escaped(text)}>`
    return isBold ? `*${linked}*` : linked
  })
  return written.join('')
}

/** Slack escapes only these three. A word joiner keeps a text from notifying a whole channel. */
function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replace(/@(?=here|channel|everyone)/gi, '@\u2060')
}

function fitsBlock(text: string): boolean {
  return text.length <= maxText
}
