import { type ChatMessage, fitting, type Span } from './chat-message'

/** The maximum of Teams for a message. */
const maxBytes = 28_000

/** The body of a webhook of the Workflows app of Teams: a message with an Adaptive Card. */
export function teamsBody(message: ChatMessage) {
  return fitting(message, write, (body) => Buffer.byteLength(JSON.stringify(body)) <= maxBytes)
}

function write({ sentence, title, details }: ChatMessage) {
  const lines = [sentence, ...(title ? [[title]] : []), ...details.map((text) => [{ text }])]
  const card = {
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    type: 'AdaptiveCard',
    version: '1.4',
    body: lines.map((spans) => ({ type: 'RichTextBlock', inlines: spans.map(toRun) })),
    ...(title?.url && { actions: [{ type: 'Action.OpenUrl', title: 'Open the change request', url: title.url }] }),
  }
  return {
    type: 'message',
    attachments: [{ contentType: 'application/vnd.microsoft.card.adaptive', contentUrl: null, content: card }],
  }
}

/** A run is plain text: unlike in a `TextBlock`, nothing in it is Markdown. */
function toRun({ text, url, isBold }: Span) {
  return {
    type: 'TextRun',
    text,
    ...(isBold && { weight: 'Bolder' }),
    ...(url && { selectAction: { type: 'Action.OpenUrl', url } }),
  }
}
