import { Html, html } from './html'
import { style } from './style'

// Scripts and requests are forbidden: the texts were written by users.
const policy = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"

export function pageStart(title: string): Html {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<title>${title}</title>
<style>
${new Html(style)}</style>
</head>
<body>
<main>
`
}

export const pageEnd = html`</main>
</body>
</html>
`
