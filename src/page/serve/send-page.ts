import { hash } from 'node:crypto'
import type { Request, Response } from 'express'
import type { PageFile } from './built-page'
import type { ReviewPageOptions } from './page-options'

/** Only scripts, styles and requests of the same origin are allowed; no frames in it and no forms. */
const policy = (frameAncestors: 'none' | 'self') => [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  `frame-ancestors '${frameAncestors}'`,
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
]

/** Sends the document. Browsers revalidate it on each load, and get it again only if it has changed. */
export function sendDocument(res: Response, html: string, { frameAncestors = 'none' }: ReviewPageOptions): void {
  const allowed = policy(frameAncestors).join('; ')
  res.set({
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': allowed,
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'same-origin',
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cache-Control': 'no-cache',
    ETag: `"${hash('sha256', allowed + html, 'base64url')}"`,
  })
  res.status(200).send(html)
}

/** Sends a file, compressed if the client accepts that. It is cached permanently, because its name contains a hash. */
export function sendFile(req: Request, res: Response, name: string, file: PageFile): void {
  const encoding = (['br', 'gzip'] as const).find((encoding) => file[encoding] && req.acceptsEncodings(encoding))
  res.set({
    'Content-Type': file.type,
    'X-Content-Type-Options': 'nosniff',
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Cache-Control': 'public, max-age=31536000, immutable',
    Vary: 'Accept-Encoding',
    ETag: `"${name}${encoding === undefined ? '' : `-${encoding}`}"`,
    ...(encoding !== undefined && { 'Content-Encoding': encoding }),
  })
  res.status(200).send((encoding && file[encoding]) ?? file.body)
}

/** For a file of a previous build: the client must not get the document in its place. */
export function sendMissing(res: Response): void {
  res.set({
    'Content-Type': 'text/plain; charset=utf-8',
    'X-Content-Type-Options': 'nosniff',
    'Cache-Control': 'no-store',
  })
  res.status(404).send('The file does not exist. Reload the page.\n')
}
