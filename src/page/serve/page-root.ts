import type { Request } from 'express'

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
