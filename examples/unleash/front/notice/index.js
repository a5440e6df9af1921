const { join } = require('node:path')
const express = require('express')
const { createProxyMiddleware, responseInterceptor } = require('http-proxy-middleware')
const { silenceMs } = require('../proxy')

const script = '/reviewed/notice.js'

/**
 * Creates the routes that bring the notice of a refused write into the page of the server: a script, and a proxy for
 * documents alone, which adds the script to them.
 *
 * @param {string} url The address of the server.
 * @param {(err: Error, req: object, res: object) => void} refuse Answers when the server does not.
 */
function createNotice(url, refuse) {
  const documents = createProxyMiddleware({
    target: url,
    changeOrigin: true,
    xfwd: true,
    proxyTimeout: silenceMs,
    selfHandleResponse: true,
    on: { proxyRes: responseInterceptor(addScript), error: refuse },
  })
  const routes = express.Router()
  routes.get(script, (_req, res) => res.sendFile(join(__dirname, 'in-page.js')))
  routes.use((req, res, next) => (isDocument(req) ? documents(req, res, next) : next()))
  return routes
}

const isDocument = ({ method, path, headers }) =>
  method === 'GET' && !/^\/api\//i.test(path) && (headers.accept ?? '').startsWith('text/html')

async function addScript(body, { headers }) {
  if (!(headers['content-type'] ?? '').startsWith('text/html')) return body
  return body.toString().replace('<head>', `<head><script src="${script}"></script>`)
}

module.exports = { createNotice }
