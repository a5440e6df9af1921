import type { Request } from 'express'
import type { PageConfig } from '../config'
import type { BuiltPage } from './built-page'
import type { ReviewPageOptions } from './page-options'

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** The HTML document of every address of the page. @param root the address that the page is mounted at, relative to it */
export function pageDocument(page: BuiltPage, options: ReviewPageOptions, root: string): string {
  const { signIn, signInUrl, title = 'Change requests', stylesheet } = options
  const config: PageConfig = {
    api: beside(root, options.api),
    base: root,
    signIn,
    signInUrl: signInUrl === undefined ? null : beside(root, signInUrl),
    title,
  }
  const asset = (name: string) => escapeHtml(`${root}assets/${name}`)
  const [entry = '', ...imports] = page.scripts
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)}</title>
${[
  ...(page.icon === undefined ? [] : [`<link rel="icon" href="${asset(page.icon)}">`]),
  ...page.styles.map((name) => `<link rel="stylesheet" href="${asset(name)}">`),
  ...(stylesheet === undefined ? [] : [`<link rel="stylesheet" href="${escapeHtml(beside(root, stylesheet))}">`]),
  ...imports.map((name) => `<link rel="modulepreload" href="${asset(name)}">`),
  `<script type="module" src="${asset(entry)}"></script>`,
].join('\n')}
</head>
<body>
<div id="app"><noscript>This page needs JavaScript.</noscript></div>
<script type="application/json" id="config">${JSON.stringify(config).replace(/</g, '\\u003c')}</script>
</body>
</html>
`
}

/** An address of the host: what is relative stands beside the page, in the folder that it is mounted in. */
function beside(root: string, address: string): string {
  return /^(?:\/|https?:\/\/)/.test(address) ? address : `${root}../${address}`
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => escapes[character] ?? character)
}

/**
 * The address that the page is mounted at, relative to the one that was asked for. Relative, because no app knows what a
 * proxy in front of it adds to a path or takes away.
 */
export function pageRoot({ originalUrl, baseUrl, url }: Pick<Request, 'originalUrl' | 'baseUrl' | 'url'>): string {
  // Without a slash at its end, the last segment of the mount path is a file in the eyes of a browser.
  if (baseUrl !== '' && withoutQuery(originalUrl) === baseUrl) return `${baseUrl.slice(baseUrl.lastIndexOf('/') + 1)}/`
  const folders = withoutQuery(url).split('/').length - 2
  return folders === 0 ? './' : '../'.repeat(folders)
}

function withoutQuery(url: string): string {
  return url.replace(/\?.*$/s, '')
}
