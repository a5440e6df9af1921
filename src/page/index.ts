import { join } from 'node:path'
import express, { type RequestHandler, type Router } from 'express'
import { checkNode } from '../check-node'
import { markGuard } from '../ports/guard-mark'
import { readBuiltPage } from './serve/built-page'
import { pageDocument, pageRoot } from './serve/document'
import { checkPageOptions, type ReviewPageOptions } from './serve/page-options'
import { sendDocument, sendFile, sendMissing } from './serve/send-page'

export type { ReviewPageOptions } from './serve/page-options'

const dotSegment = /\/(?:\.|%2e){1,2}(?:\/|$)/i

/** The same from `src/page` and from `dist/page`. */
const built = join(__dirname, '..', '..', 'dist', 'page', 'app')

/**
 * Creates the review page: an inbox, the review of a change request, the log and the settings, as a router for any path.
 * It serves only an HTML document and its files. In the browser, the page calls your
 * router with the permissions of the signed-in user.
 *
 * @example
 * ```ts
 * import { reviewPage } from 'express-change-requests/page'
 *
 * app.use('/review', reviewPage({ api: '/api/admin', signIn: 'host' }))
 * ```
 *
 * @throws TypeError that names the option, for an unknown or wrong one.
 */
export function reviewPage(options: ReviewPageOptions): Router {
  checkPageOptions(options)
  const page = readBuiltPage(built)
  const router = express.Router()
  const handler: RequestHandler = (req, res, next) => {
    if (req.method !== 'GET' && req.method !== 'HEAD') return next()
    const name = /^\/assets\/(.*)$/s.exec(req.path)?.[1]
    if (name === undefined) {
      // Browsers resolve dot segments before they send a path, so the files would not be found from such an address.
      if (dotSegment.test(req.path)) return next()
      return sendDocument(res, pageDocument(page, options, pageRoot(req)), options)
    }
    const file = page.files.get(name)
    if (file === undefined) return sendMissing(res)
    sendFile(req, res, name, file)
  }
  router.use(markGuard(handler, 'review'))
  return router
}

checkNode()
