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

/** The HTML document for all paths of the page. @param root the URL that the page is mounted at, relative to the document */
export function pageDocument(page: BuiltPage, options: ReviewPageOptions, root: string): string {
  const { signIn, signInUrl, signOutUrl, title = 'Change requests', stylesheet } = options
  const config: PageConfig = {
    api: resolveAddress(root, options.api),
    base: root,
    signIn,
    signInUrl: signInUrl === undefined ? null : resolveAddress(root, signInUrl),
    signOutUrl: signOutUrl === undefined ? null : resolveAddress(root, signOutUrl),
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
  ...(stylesheet === undefined
    ? []
    : [`<link rel="stylesheet" href="${escapeHtml(resolveAddress(root, stylesheet))}">`]),
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

/** Resolves a URL of the host app: relative URLs start in the folder that contains the mount path. */
function resolveAddress(root: string, address: string): string {
  return /^(?:\/|https?:\/\/)/.test(address) ? address : `${root}../${address}`
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => escapes[character] ?? character)
}

/**
 * The URL that the page is mounted at, relative to the requested one. Relative, because a proxy in front of the app may add
 * or remove a prefix. `baseUrl` is not used: Express 4 leaves doubled slashes out of it.
 */
export function pageRoot({ originalUrl, url }: Pick<Request, 'originalUrl' | 'url'>): string {
  const [address, path] = [withoutQuery(originalUrl), withoutQuery(url)]
  // Without a slash at the end, browsers treat the last segment of the mount path as a file.
  if (path === '/' && !address.endsWith('/')) return `./${address.slice(address.lastIndexOf('/') + 1)}/`
  const folders = path.split('/').length - 2
  return folders === 0 ? './' : '../'.repeat(folders)
}

function withoutQuery(url: string): string {
  return url.replace(/\?.*$/s, '')
}
