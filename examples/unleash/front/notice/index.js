const { join } = require('node:path')
const express = require('express')
const { responseInterceptor } = require('http-proxy-middleware')
const { createProxy } = require('../proxy')

const script = '/reviewed/notice.js'

/**
 * Creates the routes that show a notice about a blocked write in the page of the server: a script, and a proxy for documents
 * that adds the script to them.
 *
 * @param {object} link Connection to the server: options of `createProxy`.
 * @param {{ banner: boolean }} options `banner`: whether the page shows that changes are reviewed, and how many wait.
 */
function createNotice(link, { banner }) {
  const tag = `<script src="${script}"${banner ? ' data-banner' : ''}></script>`
  const documents = createProxy({ ...link, pass: responseInterceptor(addTag(tag)) })
  const routes = express.Router()
  routes.get(script, (_req, res) => res.sendFile(join(__dirname, 'in-page.js')))
  routes.use((req, res, next) => (isDocument(req) ? documents(req, res, next) : next()))
  return routes
}

const isDocument = ({ method, path, headers }) =>
  method === 'GET' && !/^\/api\//i.test(path) && (headers.accept ?? '').startsWith('text/html')

const addTag =
  (tag) =>
  async (body, { headers }) => {
    if (!(headers['content-type'] ?? '').startsWith('text/html')) return body
    return body.toString().replace('<head>', `<head>${tag}`)
  }

module.exports = { createNotice }
